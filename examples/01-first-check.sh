#!/bin/sh
# One check with curl. Needs POSTERN_KEY; POSTERN_URL and POSTERN_CA where they are not the defaults below.
set -eu
curl --silent --show-error --fail-with-body --max-time 1 \
  --cacert "${POSTERN_CA:-data/tls/ca.pem}" \
  "${POSTERN_URL:-https://localhost:8443}/v1/" \
  -H "Authorization: Bearer $POSTERN_KEY" \
  -H 'Content-Type: application/json' \
  -d '{"email": "Jane.Doe+news@gmail.com"}'
