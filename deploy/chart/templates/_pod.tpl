{{/* Name of everything that the release creates. */}}
{{- define "quantd.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{/* Labels that select the pods of the service. */}}
{{- define "quantd.selector" -}}
app.kubernetes.io/name: quantd
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quantd.labels" -}}
{{ include "quantd.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* The numbers of the nodes in a pod (QUANTD_PROCESSES), in JSON; each has a port for its metrics, from 9464 on. */}}
{{- define "quantd.nodes" -}}
{{ untilStep 1 (int (add1 (int (default 1 .Values.settings.QUANTD_PROCESSES)))) 1 | toJson }}
{{- end }}

{{/* The name of the metrics port of a node. */}}
{{- define "quantd.metrics" -}}
metrics{{ if gt (int .) 1 }}-{{ int . }}{{ end }}
{{- end }}

{{/* A value as text: Helm reads every number as a float, which it would print as 3.3554432e+07. */}}
{{- define "quantd.text" -}}
{{ if and (kindIs "float64" .) (eq (float64 (int64 .)) .) }}{{ int64 . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* The folder that the keys of the secret are mounted in as files. */}}
{{- define "quantd.secrets" -}}
/run/secrets/quantd
{{- end }}

{{/* Fails if a part of the chart that forwards requests is switched on and its address is not trusted: a dict of root and by. */}}
{{- define "quantd.trusted" -}}
{{- $reason := printf "%s needs settings.QUANTD_TRUSTED_PROXIES: without it all clients share the limits of the proxy's address" .by }}
{{- $_ := required $reason .root.Values.settings.QUANTD_TRUSTED_PROXIES }}
{{- end }}

{{/* One variable from the secret: a dict of root, name and key. */}}
{{- define "quantd.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.secret.name }}
      key: {{ .key }}
{{- end }}

{{/* The part of a container that the service and the Jobs share. */}}
{{- define "quantd.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  {{- include "quantd.fromSecret" (dict "root" . "name" "DATABASE_URL" "key" .Values.secret.databaseUrl) | nindent 2 }}
  # A file: a rotated key is read again without a restart.
  - name: QUANTD_MASTER_KEY_FILE
    value: {{ include "quantd.secrets" . }}/master-key
  {{- with .Values.secret.replicaUrl }}
  {{- include "quantd.fromSecret" (dict "root" $ "name" "DATABASE_REPLICA_URL" "key" .) | nindent 2 }}
  {{- end }}
  {{- with .Values.secret.smtpUrl }}
  {{- include "quantd.fromSecret" (dict "root" $ "name" "SMTP_URL" "key" .) | nindent 2 }}
  {{- end }}
  {{- with .Values.secret.metricsToken }}
  {{- include "quantd.fromSecret" (dict "root" $ "name" "METRICS_TOKEN" "key" .) | nindent 2 }}
  - name: METRICS_HOST
    value: 0.0.0.0
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ include "quantd.text" $value | quote }}
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: secrets
    mountPath: {{ include "quantd.secrets" . }}
    readOnly: true
  {{- with .Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* The part of a pod that the service and the Jobs share. */}}
{{- define "quantd.pod" -}}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  # The refund journal: it must survive a restart of the process, as it does here, and is empty but for seconds.
  - name: data
    emptyDir:
      sizeLimit: {{ .Values.data.sizeLimit }}
  - name: secrets
    secret:
      secretName: {{ .Values.secret.name }}
      # 0440: the service refuses a master key that others than its group can read.
      defaultMode: 288
      items:
        - { key: {{ .Values.secret.masterKey | quote }}, path: master-key }
        {{- with .Values.secret.databaseCa }}
        - { key: {{ . | quote }}, path: database-ca.pem }
        {{- end }}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* A Job that runs one command: a dict of root, name, command and annotations. */}}
{{- define "quantd.job" -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "quantd.name" .root }}-{{ .name }}
  labels:
    {{- include "quantd.labels" .root | nindent 4 }}
  annotations:
    {{- toYaml .annotations | nindent 4 }}
spec:
  backoffLimit: 1
  ttlSecondsAfterFinished: 86400
  template:
    metadata:
      labels:
        app.kubernetes.io/name: quantd-{{ .name }}
        app.kubernetes.io/instance: {{ .root.Release.Name }}
    spec:
      restartPolicy: Never
      {{- include "quantd.pod" .root | nindent 6 }}
      containers:
        - name: quantd
          args:
            {{- range .command }}
            - {{ include "quantd.text" . | quote }}
            {{- end }}
          {{- include "quantd.container" .root | nindent 10 }}
          resources:
            {{- toYaml .root.Values.jobs.resources | nindent 12 }}
{{- end }}
