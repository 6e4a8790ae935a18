{{/* Stops with a sentence that says what to do where values do not fit together; the schema has looked at each alone. */}}
{{- define "jetton-analytics.validate" -}}
{{- $v := .Values -}}
{{- $problems := list -}}
{{- if not $v.image.repository -}}
{{- $problems = append $problems "image.repository is empty: set it to the registry and folder the images were pushed to, for instance registry.example.com/jetton-analytics (docs/kubernetes.md, Images)." -}}
{{- end -}}
{{- if and (not $v.clickhouse.url) (not $v.clickhouse.urlSecret.name) -}}
{{- $problems = append $problems "No address of ClickHouse: set clickhouse.url, or clickhouse.urlSecret.name to a secret that holds it." -}}
{{- end -}}
{{- if and $v.clickhouse.url $v.clickhouse.urlSecret.name -}}
{{- $problems = append $problems "Two addresses of ClickHouse: leave out clickhouse.url or clickhouse.urlSecret." -}}
{{- end -}}
{{- if regexMatch "//[^/@]*@" (toString $v.clickhouse.url) -}}
{{- $problems = append $problems "clickhouse.url holds a login, which would be readable in the Deployment: use clickhouse.user and clickhouse.passwordSecret." -}}
{{- end -}}
{{- if not $v.clickhouse.passwordSecret.name -}}
{{- $problems = append $problems "clickhouse.passwordSecret.name is empty: create a secret with the password (kubectl create secret generic clickhouse --from-literal=password=…) and name it." -}}
{{- end -}}
{{- range $role := list "query" "migration" -}}
{{- $login := index $v.clickhouse $role -}}
{{- if and $login.user (not $login.passwordSecret.name) -}}
{{- $problems = append $problems (printf "clickhouse.%s.user is set without clickhouse.%s.passwordSecret.name: name the secret with that user's password." $role $role) -}}
{{- end -}}
{{- end -}}
{{- if not $v.postgres.urlSecret.name -}}
{{- $problems = append $problems "postgres.urlSecret.name is empty: create a secret with the whole address (kubectl create secret generic postgres --from-literal=url=postgres://user:password@host:5432/database) and name it." -}}
{{- end -}}
{{- if not $v.kafka.brokers -}}
{{- $problems = append $problems "kafka.brokers is empty: set the brokers that dead letters and watermarks are written to, host:port by commas." -}}
{{- end -}}
{{- range $name, $kafka := dict "kafka" $v.kafka "sourceKafka" $v.sourceKafka -}}
{{- if and $kafka.sasl.mechanism (not $kafka.sasl.secretName) -}}
{{- $problems = append $problems (printf "%s.sasl.mechanism is set without %s.sasl.secretName: name the secret with user and password." $name $name) -}}
{{- end -}}
{{- if and $kafka.sasl.secretName (not $kafka.sasl.mechanism) -}}
{{- $problems = append $problems (printf "%s.sasl.secretName is set without %s.sasl.mechanism: say plain, scram-sha-256 or scram-sha-512." $name $name) -}}
{{- end -}}
{{- if and (or $kafka.tls.caKey $kafka.tls.certKey $kafka.tls.keyKey $kafka.tls.secretName) (not $kafka.tls.enabled) -}}
{{- $problems = append $problems (printf "%s.tls names certificates and is not enabled: set %s.tls.enabled=true." $name $name) -}}
{{- end -}}
{{- if and (or $kafka.tls.caKey $kafka.tls.certKey $kafka.tls.keyKey) (not $kafka.tls.secretName) -}}
{{- $problems = append $problems (printf "%s.tls names keys of no secret: set %s.tls.secretName." $name $name) -}}
{{- end -}}
{{- if ne (empty $kafka.tls.certKey) (empty $kafka.tls.keyKey) -}}
{{- $problems = append $problems (printf "%s.tls has a certificate without its private key or a key without its certificate: set certKey and keyKey." $name) -}}
{{- end -}}
{{- end -}}
{{- if and (not $v.sourceKafka.brokers) (or $v.sourceKafka.tls.enabled $v.sourceKafka.sasl.mechanism $v.sourceKafka.clientId) -}}
{{- $problems = append $problems "sourceKafka has a login, TLS or a client name without brokers: set sourceKafka.brokers, or leave all of it out where the feed is on kafka.brokers." -}}
{{- end -}}
{{- if and $v.migration.createFeedTopics $v.sourceKafka.brokers -}}
{{- $problems = append $problems "migration.createFeedTopics makes topics on kafka.brokers, but the feed is read from sourceKafka.brokers: set it to false." -}}
{{- end -}}
{{- if and $v.migration.createFeedTopics (not $v.migration.createTopics) -}}
{{- $problems = append $problems "migration.createFeedTopics needs migration.createTopics=true: one step makes both." -}}
{{- end -}}
{{- if not $v.cursorSecret.name -}}
{{- $problems = append $problems "cursorSecret.name is empty: create a secret (kubectl create secret generic jetton-analytics --from-literal=cursor-secret=$(openssl rand -hex 32)) and name it." -}}
{{- end -}}
{{- if not $v.publicUrl -}}
{{- $problems = append $problems "publicUrl is empty: set what clients reach the gateway by, for instance https://jettons.example.com." -}}
{{- end -}}
{{- $gateways := ternary $v.gateway.autoscaling.maxReplicas $v.gateway.replicaCount $v.gateway.autoscaling.enabled | int -}}
{{- $limits := dig "RATE_LIMITS" (dig "RATE_LIMITS" "on" $v.settings) $v.gateway.settings -}}
{{- if and (gt $gateways 1) (not $v.valkey.urlSecret.name) (ne $limits "off") -}}
{{- $problems = append $problems "More than one gateway without valkey.urlSecret.name would give each client its limit once per replica: name a secret with the address of Redis or Valkey, or set gateway.settings.RATE_LIMITS=off, or run one gateway." -}}
{{- end -}}
{{- $aggregators := ternary $v.aggregator.keda.maxReplicas $v.aggregator.replicaCount $v.aggregator.keda.enabled | int -}}
{{- if and (gt $aggregators 1) (not $v.topics.tradesPartitions) -}}
{{- $problems = append $problems "More than one aggregator: set topics.tradesPartitions to the number of partitions of the topic of the trades, which is the most of use." -}}
{{- else if and $v.topics.tradesPartitions (gt $aggregators (int $v.topics.tradesPartitions)) -}}
{{- $problems = append $problems (printf "%d aggregators for %d partitions: the ones beyond would have nothing to read. Lower aggregator.replicaCount (or aggregator.keda.maxReplicas), or correct topics.tradesPartitions." $aggregators (int $v.topics.tradesPartitions)) -}}
{{- end -}}
{{- if and $v.aggregator.keda.enabled (gt (int $v.aggregator.keda.minReplicas) (int $v.aggregator.keda.maxReplicas)) -}}
{{- $problems = append $problems "aggregator.keda.minReplicas is greater than maxReplicas." -}}
{{- end -}}
{{- if and $v.aggregator.keda.enabled $v.sourceKafka.brokers $v.sourceKafka.tls.certKey (not $v.aggregator.keda.authentication) (not $v.sourceKafka.tls.caKey) -}}
{{- $problems = append $problems "KEDA with a client certificate needs the authority too: set sourceKafka.tls.caKey, or aggregator.keda.authentication to a TriggerAuthentication of yours." -}}
{{- end -}}
{{- range $app := list "gateway" "statistics" "metrics" -}}
{{- $scaling := (index $v $app).autoscaling -}}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) -}}
{{- $problems = append $problems (printf "%s.autoscaling.minReplicas is greater than maxReplicas." $app) -}}
{{- end -}}
{{- if and $scaling.enabled (not (dig "requests" "cpu" "" (index $v $app).resources)) -}}
{{- $problems = append $problems (printf "%s.autoscaling needs %s.resources.requests.cpu: the share of it is what is measured." $app $app) -}}
{{- end -}}
{{- end -}}
{{- range $app := list "gateway" "statistics" "metrics" "aggregator" -}}
{{- $s := (index $v $app).shutdown -}}
{{- $needed := addf (float64 $s.preStopSeconds) (divf (float64 $s.drainMs) 1000.0) (divf (float64 $s.graceMs) 1000.0) -}}
{{- if le (float64 $s.terminationGracePeriodSeconds) $needed -}}
{{- $problems = append $problems (printf "%s.shutdown.terminationGracePeriodSeconds is %v, but stopping may take %v s (preStopSeconds, drainMs, graceMs): set it higher, or the kubelet kills requests under way." $app $s.terminationGracePeriodSeconds $needed) -}}
{{- end -}}
{{- end -}}
{{- if and $v.ingress.enabled (not $v.ingress.host) -}}
{{- $problems = append $problems "ingress.enabled without ingress.host: set the host that clients use." -}}
{{- end -}}
{{- if and $v.httpRoute.enabled (not $v.httpRoute.parentRefs) -}}
{{- $problems = append $problems "httpRoute.enabled without httpRoute.parentRefs: name the Gateway it belongs to, as [{name: …, namespace: …}]." -}}
{{- end -}}
{{- if and $v.networkPolicy.egress.enabled (not $v.networkPolicy.egress.stores) -}}
{{- $problems = append $problems "networkPolicy.egress.enabled without networkPolicy.egress.stores would cut the apps off from their stores: give the rules that allow ClickHouse, PostgreSQL, Kafka and Valkey." -}}
{{- end -}}
{{- if $problems -}}
{{- fail (printf "\n\nThe values cannot be deployed:\n  - %s\n" (join "\n  - " $problems)) -}}
{{- end -}}
{{- end -}}
