{{/* What the pods of the apps and of the job have in common; takes the root. */}}
{{- define "jetton-analytics.podCommon" -}}
serviceAccountName: {{ include "jetton-analytics.serviceAccountName" . }}
automountServiceAccountToken: false
# Variables of services would be named like our settings: METRICS_PORT, for one.
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- toYaml .Values.podSecurityContext | nindent 2 }}
{{- end -}}

{{/* One of the probes; takes (dict "path" "/livez" "defaults" (dict) "values" (dict)). */}}
{{- define "jetton-analytics.probe" -}}
{{- $probe := mergeOverwrite (dict "httpGet" (dict "path" .path "port" "http") "timeoutSeconds" 3) .defaults .values -}}
{{- toYaml $probe -}}
{{- end -}}

{{- define "jetton-analytics.topologySpread" -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "jetton-analytics.selector" $.root | nindent 6 }}
      app.kubernetes.io/component: {{ $.app }}
{{- end }}
{{- end -}}
