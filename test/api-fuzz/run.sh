#!/bin/sh
# Asks a running service whatever its OpenAPI document allows and forbids, and holds every answer against it.
#   pip install 'schemathesis==4.32.5'
#   RATE_LIMITS=off npm start
#   API_KEY=<key of a paid plan> test/api-fuzz/run.sh [seconds] [url]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export API_URL="${2:-http://127.0.0.1:3000}" API_KEY PYTHONPATH="$here" SCHEMATHESIS_HOOKS=valid_requests
exec "${SCHEMATHESIS:-schemathesis}" run "$here/../../docs/openapi.json" --url "$API_URL" \
  -H "X-API-Key: $API_KEY" --checks all --max-time "${1:-600}" --request-timeout 15 --workers "${WORKERS:-2}" \
  --continue-on-failure --output-truncate true
