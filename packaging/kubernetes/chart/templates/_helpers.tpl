{{- define "losslessctl.selector" -}}
app.kubernetes.io/name: losslessctl
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "losslessctl.labels" -}}
{{ include "losslessctl.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "losslessctl.image" -}}
{{- with .Values.image.digest }}
{{- $.Values.image.repository }}@{{ . }}
{{- else }}
{{- .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{- /* Another policy has another name: pods that run keep theirs until they are replaced. */}}
{{- define "losslessctl.policy" -}}
{{ .Release.Name }}-policy-{{ .Values.policy | mustToJson | sha256sum | trunc 10 }}
{{- end }}
