{{- define "jetton-analytics.secretEnv" -}}
- name: {{ .env }}
  valueFrom:
    secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }} }
{{- end -}}

{{/* ClickHouse; takes (dict "root" $ "role" "query"), where the role is one of those with a user of their own. */}}
{{- define "jetton-analytics.clickhouseEnv" -}}
{{- $store := .root.Values.clickhouse -}}
{{- $user := $store.user -}}
{{- $password := $store.passwordSecret -}}
{{- with index $store (.role | default "none") -}}
{{- if .user -}}
{{- $user = .user -}}
{{- $password = .passwordSecret -}}
{{- end -}}
{{- end -}}
{{- if $store.url }}
- name: CLICKHOUSE_URL
  value: {{ $store.url | quote }}
{{- else }}
{{ include "jetton-analytics.secretEnv" (dict "env" "CLICKHOUSE_URL" "secret" $store.urlSecret.name "key" $store.urlSecret.key) }}
{{- end }}
- name: CLICKHOUSE_DATABASE
  value: {{ $store.database | quote }}
{{- with $store.cluster }}
- name: CLICKHOUSE_CLUSTER
  value: {{ . | quote }}
{{- end }}
- name: CLICKHOUSE_USER
  value: {{ $user | quote }}
{{ include "jetton-analytics.secretEnv" (dict "env" "CLICKHOUSE_PASSWORD" "secret" $password.name "key" $password.key) }}
{{- end -}}

{{- define "jetton-analytics.postgresEnv" -}}
{{- $secret := .root.Values.postgres.urlSecret -}}
{{- if and .isMigration .root.Values.postgres.migration.urlSecret.name -}}
{{- $secret = .root.Values.postgres.migration.urlSecret -}}
{{- end -}}
{{ include "jetton-analytics.secretEnv" (dict "env" "DATABASE_URL" "secret" $secret.name "key" $secret.key) }}
{{- end -}}

{{/* One Kafka cluster; takes (dict "prefix" "KAFKA_" "kafka" .Values.kafka "folder" "/etc/kafka-tls"). */}}
{{- define "jetton-analytics.kafkaClusterEnv" -}}
- name: {{ .prefix }}BROKERS
  value: {{ .kafka.brokers | quote }}
{{- with .kafka.clientId }}
- name: {{ $.prefix }}CLIENT_ID
  value: {{ . | quote }}
{{- end }}
{{- if .kafka.tls.enabled }}
- name: {{ .prefix }}TLS
  value: 'true'
{{- range $setting, $key := dict "TLS_CA_FILE" .kafka.tls.caKey "TLS_CERT_FILE" .kafka.tls.certKey "TLS_KEY_FILE" .kafka.tls.keyKey }}
{{- if $key }}
- name: {{ $.prefix }}{{ $setting }}
  value: {{ printf "%s/%s" $.folder $key | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- if .kafka.sasl.mechanism }}
- name: {{ .prefix }}SASL_MECHANISM
  value: {{ .kafka.sasl.mechanism | quote }}
{{ include "jetton-analytics.secretEnv" (dict "env" (printf "%sSASL_USERNAME" .prefix) "secret" .kafka.sasl.secretName "key" .kafka.sasl.usernameKey) }}
{{ include "jetton-analytics.secretEnv" (dict "env" (printf "%sSASL_PASSWORD" .prefix) "secret" .kafka.sasl.secretName "key" .kafka.sasl.passwordKey) }}
{{- end }}
{{- end -}}

{{/* Both clusters and the names of the topics; takes the root. */}}
{{- define "jetton-analytics.kafkaEnv" -}}
{{ include "jetton-analytics.kafkaClusterEnv" (dict "prefix" "KAFKA_" "kafka" .Values.kafka "folder" "/etc/kafka-tls") }}
{{- if .Values.sourceKafka.brokers }}
{{ include "jetton-analytics.kafkaClusterEnv" (dict "prefix" "SOURCE_KAFKA_" "kafka" .Values.sourceKafka "folder" "/etc/source-kafka-tls") }}
{{- end }}
- name: SOURCE_KAFKA_GROUP_ID
  value: {{ .Values.sourceKafka.groupId | quote }}
- name: DEX_TRADES_TOPIC
  value: {{ .Values.topics.trades | quote }}
- name: DEX_POOLS_TOPIC
  value: {{ .Values.topics.pools | quote }}
- name: JETTON_METADATA_TOPIC
  value: {{ .Values.topics.metadata | quote }}
- name: BALANCES_TOPIC
  value: {{ .Values.topics.balances | quote }}
- name: WATERMARK_TOPIC
  value: {{ .Values.topics.watermarks | quote }}
{{- end -}}

{{/* Certificates of authorities for everything that Node connects to. */}}
{{- define "jetton-analytics.caEnv" -}}
{{- if .Values.caBundle.configMapName }}
- name: NODE_EXTRA_CA_CERTS
  value: {{ printf "/etc/ca-bundle/%s" .Values.caBundle.key | quote }}
{{- end }}
{{- end -}}

{{/* Volumes and mounts of certificates; takes (dict "root" $ "kafka" true). */}}
{{- define "jetton-analytics.certificateVolumes" -}}
{{- if .root.Values.caBundle.configMapName }}
- name: ca-bundle
  configMap: { name: {{ .root.Values.caBundle.configMapName | quote }} }
{{- end }}
{{- with .root.Values.postgres.tls.secretName }}
- name: postgres-tls
  secret: { secretName: {{ . | quote }}, defaultMode: 0440 }
{{- end }}
{{- if .kafka }}
{{- if and .root.Values.kafka.tls.enabled .root.Values.kafka.tls.secretName }}
- name: kafka-tls
  secret: { secretName: {{ .root.Values.kafka.tls.secretName | quote }}, defaultMode: 0440 }
{{- end }}
{{- with .root.Values.sourceKafka }}
{{- if and .brokers .tls.enabled .tls.secretName }}
- name: source-kafka-tls
  secret: { secretName: {{ .tls.secretName | quote }}, defaultMode: 0440 }
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "jetton-analytics.certificateMounts" -}}
{{- range include "jetton-analytics.certificateVolumes" . | fromYamlArray }}
- { name: {{ .name }}, mountPath: /etc/{{ .name }}, readOnly: true }
{{- end }}
{{- end -}}

{{/* One setting, a whole number in digits; takes (dict "name" "…" "value" 1). */}}
{{- define "jetton-analytics.settingEnv" -}}
- name: {{ .name }}
  {{- if and (kindIs "float64" .value) (eq .value (floor .value)) }}
  value: {{ .value | int64 | quote }}
  {{- else }}
  value: {{ .value | toString | quote }}
  {{- end }}
{{- end -}}

{{/* Settings by name, those of the app over those of all; takes (dict "root" $ "app" "gateway"). */}}
{{- define "jetton-analytics.settingsEnv" -}}
{{- $settings := mergeOverwrite (deepCopy .root.Values.settings) (index .root.Values .app).settings -}}
{{- range $name, $value := $settings }}
{{ include "jetton-analytics.settingEnv" (dict "name" $name "value" $value) }}
{{- end }}
{{- end -}}

{{/* Everything an app is set by; takes (dict "root" $ "app" "gateway" "traits" (dict)). */}}
{{- define "jetton-analytics.appEnv" -}}
{{- $values := index .root.Values .app -}}
{{- $fullname := include "jetton-analytics.fullname" .root -}}
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: {{ .traits.port | quote }}
- name: METRICS_PORT
  value: '9464'
- name: SHUTDOWN_DRAIN_MS
  value: {{ $values.shutdown.drainMs | int64 | quote }}
- name: SHUTDOWN_GRACE_MS
  value: {{ $values.shutdown.graceMs | int64 | quote }}
{{- with $values.nodeOptions }}
- name: NODE_OPTIONS
  value: {{ . | quote }}
{{- end }}
{{- with include "jetton-analytics.caEnv" .root | trim }}
{{ . }}
{{- end }}
{{ include "jetton-analytics.postgresEnv" (dict "root" .root) }}
{{- if .traits.clickhouse }}
{{ include "jetton-analytics.clickhouseEnv" (dict "root" .root "role" (ternary "query" "" .traits.isHttp)) | trim }}
{{- end }}
{{- if .traits.kafka }}
{{ include "jetton-analytics.kafkaEnv" .root }}
{{- end }}
{{- if eq .app "aggregator" }}
- name: CONSUMER_INSTANCE
  valueFrom:
    fieldRef: { fieldPath: metadata.name }
{{- end }}
{{- if eq .app "gateway" }}
- name: STATISTICS_URL
  value: http://{{ $fullname }}-statistics.{{ .root.Release.Namespace }}.svc:{{ .root.Values.statistics.service.port | int }}
- name: METRICS_URL
  value: http://{{ $fullname }}-metrics.{{ .root.Release.Namespace }}.svc:{{ .root.Values.metrics.service.port | int }}
{{- with .root.Values.valkey.urlSecret }}
{{- if .name }}
{{ include "jetton-analytics.secretEnv" (dict "env" "REDIS_URL" "secret" .name "key" .key) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .traits.clickhouse .traits.isHttp }}
{{- with .root.Values.cursorSecret }}
{{ include "jetton-analytics.secretEnv" (dict "env" "CURSOR_SECRET" "secret" .name "key" .key) }}
{{- end }}
{{- end }}
{{- if eq .app "metrics" }}
- name: PUBLIC_URL
  value: {{ .root.Values.publicUrl | quote }}
{{- end }}
{{- with include "jetton-analytics.settingsEnv" . | trim }}
{{ . }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
