{{- define "jetton-analytics.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "jetton-analytics.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "jetton-analytics.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "jetton-analytics.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "jetton-analytics.selector" -}}
app.kubernetes.io/name: {{ include "jetton-analytics.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Labels of an object; takes (dict "root" $ "component" "gateway"). */}}
{{- define "jetton-analytics.labels" -}}
{{- $labels := deepCopy .root.Values.commonLabels -}}
{{- $_ := mergeOverwrite $labels (dict
  "helm.sh/chart" (printf "%s-%s" .root.Chart.Name (replace "+" "_" .root.Chart.Version))
  "app.kubernetes.io/version" .root.Chart.AppVersion
  "app.kubernetes.io/managed-by" .root.Release.Service
  "app.kubernetes.io/part-of" "jetton-analytics"
) -}}
{{- $_ := mergeOverwrite $labels (include "jetton-analytics.selector" .root | fromYaml) -}}
{{- if .component }}{{ $_ := set $labels "app.kubernetes.io/component" .component }}{{ end -}}
{{- toYaml $labels -}}
{{- end -}}

{{/* Metadata; takes (dict "root" $ "component" "gateway" "name" "…" "annotations" (dict) "labels" (dict)). */}}
{{- define "jetton-analytics.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "jetton-analytics.labels" . | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- $annotations := mergeOverwrite (deepCopy .root.Values.commonAnnotations) (.annotations | default dict) }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* An image; takes (dict "root" $ "image" "gateway"). */}}
{{- define "jetton-analytics.image" -}}
{{- $image := .root.Values.image -}}
{{- with index $image.digests .image -}}
{{- printf "%s/%s@%s" $image.repository $.image . -}}
{{- else -}}
{{- printf "%s/%s:%s" $image.repository .image (default .root.Chart.AppVersion $image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "jetton-analytics.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "jetton-analytics.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Which stores an app has, its port and whether it answers requests. */}}
{{- define "jetton-analytics.apps" -}}
gateway: { port: 3000, isHttp: true, clickhouse: false, kafka: false }
statistics: { port: 3001, isHttp: true, clickhouse: true, kafka: false }
metrics: { port: 3002, isHttp: true, clickhouse: true, kafka: false }
aggregator: { port: 3003, isHttp: false, clickhouse: true, kafka: true }
{{- end -}}
