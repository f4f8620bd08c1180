// One check with types generated from GET /openapi.json; node runs it as it is. NODE_EXTRA_CA_CERTS as in 02-signup.mjs.
import type { Check, CheckRequest, ErrorEnvelope } from './postern.d.ts';

const URL = `${process.env.POSTERN_URL ?? 'https://localhost:8443'}/v1/`;
const headers = { authorization: `Bearer ${process.env.POSTERN_KEY}`, 'content-type': 'application/json' };

type Answer = { readonly ok: true; readonly check: Check } | ({ readonly ok: false } & ErrorEnvelope);

export async function check(request: CheckRequest): Promise<Answer> {
  const signal = AbortSignal.timeout(1_000);
  const response = await fetch(URL, { method: 'POST', headers, body: JSON.stringify(request), signal });
  // The description promises what comes with which status, and a test holds the service to it.
  if (response.status === 200) return { ok: true, check: (await response.json()) as Check };
  return { ok: false, ...((await response.json()) as ErrorEnvelope) };
}

for (const email of process.argv.slice(2)) {
  const answer = await check({ email });
  if (answer.ok) {
    const { summary, normalized } = answer.check;
    console.log(summary.action, summary.risk_score, summary.risk_level, normalized.canonical);
  } else {
    const [fault] = answer.error.details ?? [];
    console.log(fault ? `${answer.error.code} at ${fault.position}: ${fault.message}` : answer.error.code);
  }
}
