#!/bin/sh
# A risk analyst's day on the command line: find a mistake, try a lower threshold on recorded traffic, watch it on live
# traffic, put it in force while customers send checks, and take it back.
#
# Works in the current directory: `rules` holds the rules in force, `challenger` those that are watched (rules.dir and
# rules.challenger_dir of the service; POSTERN__RULES__DIR and POSTERN__RULES__CHALLENGER_DIR name them to the commands);
# `known.csv` holds signups with a known outcome. Needs POSTERN_KEY, and POSTERN_DATA_DIR of the service.
set -eu
postern=${POSTERN:-npx postern}

step() { printf '\n## %s\n' "$1"; }
# A command that finds something ends with 1; here that is expected, and any other code is an error.
finds() {
  code=0
  "$@" || code=$?
  [ "$code" -eq 1 ] || { echo "ended with $code: $*" >&2; exit 1; }
}
# One check of an address; prints headers and body.
check() {
  curl --silent --show-error --fail-with-body --max-time 5 --include --cacert "$POSTERN_CA" \
    "$POSTERN_URL/v1/" -H "Authorization: Bearer $POSTERN_KEY" -H 'Content-Type: application/json' \
    -d "{\"email\": \"$1\"}"
}
ruleset() { check "$1" | tr -d '\r' | sed -n 's/^postern-ruleset: //ip'; }
# The hash that `Postern-Ruleset` would have for the rules of a directory.
hash_of() { $postern rules explain --dir "$1" --offline someone@example.com --json | sed -n 's/.*"ruleset":"\([0-9a-f]*\)".*/\1/p'; }
# Sends checks until other rules than those named are in force; every answer must be a 200.
wait_for_others_than() {
  calls=0
  while [ "$(ruleset "customer$calls@example.com")" = "$1" ]; do
    calls=$((calls + 1))
    [ "$calls" -lt 300 ] || { echo "the service still decides by $1" >&2; exit 1; }
  done
}

step 'A draft, with a mistake in it'
rm -rf draft && cp -R rules draft
sed -i.bak 's/points: 30 }/points: 3O }/; s/mode: shadow/mode: Shadow/' draft/*.yaml && rm draft/*.bak
finds $postern rules lint --dir draft
sed -i.bak 's/points: 3O }/points: 30 }/' draft/*.yaml && rm draft/*.bak
$postern rules lint --dir draft --fix

step 'A lower threshold: too low breaks what the rules promise in their tests'
sed -i.bak 's/block_score: { value: 70/block_score: { value: 50/' draft/decision.yaml && rm draft/decision.yaml.bak
finds $postern rules test --dir draft
sed -i.bak 's/block_score: { value: 50/block_score: { value: 65/' draft/decision.yaml && rm draft/decision.yaml.bak
$postern rules test --dir draft

step 'Why a signup was turned away, and what would have let it in'
id=$(check someone@mailinator.com | sed -n 's/.*"id":"\(chk_[0-9A-Z]*\)".*/\1/p')
$postern rules explain "$id"

step 'What is known of some of the signups'
$postern labels import known.csv --source 'support, November'

step 'What the draft means, and what it would have done to recorded traffic'
finds $postern rules diff draft
finds $postern rules backtest draft --fail-on 'new_false_positives > 0'
$postern rules backtest draft --format markdown >report.md

step 'The draft is watched on live traffic before it counts'
before=$(ruleset customer@example.com)
cp -R draft/. challenger
calls=0
until $postern rules shadow --json --since "$(date -u +%Y-%m-%d)" | grep -q "$(hash_of draft)"; do
  check "newcomer$calls@example.com" >/dev/null
  calls=$((calls + 1))
  [ "$calls" -lt 60 ] || { echo 'no check was tried by the challenger' >&2; exit 1; }
done
$postern rules shadow

step 'It is put in force while customers call'
cp draft/decision.yaml rules/decision.new && mv rules/decision.new rules/decision.yaml
wait_for_others_than "$before"
after=$(ruleset customer@example.com)
echo "customers are judged by $after, no longer by $before"
$postern rules status

step 'It was too strict: back to what was'
$postern rules rollback "$before" --author analyst
wait_for_others_than "$after"
[ "$(ruleset customer@example.com)" = "$before" ]
echo "customers are judged by $before again"
$postern rules history
