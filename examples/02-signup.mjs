// A signup that asks Postern first: one second for each try, two retries, and an error is never a BLOCK.
// NODE_EXTRA_CA_CERTS=data/tls/ca.pem lets fetch trust Postern's certificate.
import { setTimeout as wait } from 'node:timers/promises';

const URL = `${process.env.POSTERN_URL ?? 'https://localhost:8443'}/v1/`;
const KEY = process.env.POSTERN_KEY;
const TIMEOUT_MS = 1_000;
const RETRIES = 2;

/** Postern's answer; `undefined` where there is none for now, with the reason on stderr. */
async function check(email) {
  for (let attempt = 0; ; attempt++) {
    const { status, headers, body } = await fetch(URL, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
      .then(async (answer) => ({ status: answer.status, headers: answer.headers, body: await answer.text() }))
      .catch((error) => ({ body: error })); // slow, down or unreachable: all are retried
    if (status === 200) return JSON.parse(body);
    if (status === 422) return { unparseable: JSON.parse(body).error.details[0] };
    const temporary = status === undefined || status === 408 || status === 429 || status >= 500;
    const asked = (Number(headers?.get('retry-after')) || 0) * 1000;
    // Two seconds: longer than a person waits for a form.
    if (!temporary || attempt === RETRIES || asked > 2_000) {
      console.error('Postern gave no answer:', body); // a wrong URL, certificate or key shows only here
      return undefined;
    }
    await wait(Math.max(asked, 100 * 2 ** attempt * (0.5 + Math.random())));
  }
}

export async function signUp(email) {
  const answer = await check(email);
  if (answer === undefined) return `account created, to be checked later: ${email}`;
  if (answer.unparseable) return `form error: ${answer.unparseable.message}`;
  if (answer.summary.action === 'BLOCK') return 'signup declined';
  // A unique index on this column finds the second signup of one mailbox.
  return `account created: ${answer.normalized.canonical}`;
}

for (const email of process.argv.slice(2)) console.log(await signUp(email));
