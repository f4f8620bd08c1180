// Assesses a million addresses, no two alike, in a process that does nothing else, and prints its memory as JSON.
//   node million-checks.ts DNS_SERVER FIRMS
import { addressAt } from '../support/addresses.ts';
import { counted } from '../support/counted.ts';
import { openBuiltPipeline } from '../support/open-pipeline.ts';
import { residentMb } from '../support/process-cost.ts';

const CHECKS = 1_000_000;
/** A slow machine reports how far it came instead of going on. */
const TIME_LIMIT_MS = 180_000;

const [dns = '', firms = ''] = process.argv.slice(2);
const { assessor, policies } = await openBuiltPipeline(dns);
const assess = counted(assessor);
for (let n = 0; n < 1000; n += 1) await assess(addressAt(n));

const before = residentMb(process.pid);
const started = performance.now();
let done = 0;
let peak = before;
while (done < CHECKS && performance.now() - started < TIME_LIMIT_MS) {
  await assess(addressAt(done, Number(firms)));
  done += 1;
  if (done % 10_000 === 0) peak = Math.max(peak, residentMb(process.pid));
}
policies.close();
console.log(
  JSON.stringify({
    done,
    before,
    after: residentMb(process.pid),
    peak,
    seconds: (performance.now() - started) / 1000,
  }),
);
