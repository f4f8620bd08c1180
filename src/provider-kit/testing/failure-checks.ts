import { unlessAborted, withDeadline } from '../../lib/time.ts';
import type { Ports } from '../ports.ts';
import type { SignalProvider } from '../provider.ts';
import { isUnknown } from '../unknown.ts';
import { anAddress } from './addresses.ts';
import { type CaseInWorld, type ContractCheck, factOf, prepared, refuse, thrownBy } from './contract-case.ts';
import { type DnsFailure, fakeDns, fakeHttp, fakeSmtp, fakeStore, type HttpFailure } from './fake-ports.ts';

/** How long `check` may take to return once its signal has fired. */
const PATIENCE_MS = 1_000;

const HTTP_FAILURES: readonly HttpFailure[] = ['timeout', 'refused', 'malformed', 'breaker_open', 'error'];

const DNS_FAILURES: readonly DnsFailure[] = ['timeout', 'servfail', 'refused', 'malformed', 'error'];

/** A failing port in place of the port of the cases, and whether the provider asked it. */
interface Broken {
  readonly name: string;
  readonly make: () => { readonly port: Partial<Ports>; readonly isAsked: () => boolean };
  /** Whether its failure must make a fact unknown. That of the store, or of mail hosts, need not. */
  readonly tells: boolean;
}

const BROKEN: Readonly<Partial<Record<keyof Ports, readonly Broken[]>>> = {
  dns: DNS_FAILURES.map((failure) => broken('dns', `DNS fails: ${failure}`, () => fakeDns(failure))),
  smtp: [broken('smtp', 'mail hosts cannot be reached', () => fakeSmtp('unreachable'), false)],
  http: [
    ...HTTP_FAILURES.map((failure) => broken('http', `a request fails: ${failure}`, () => fakeHttp(failure))),
    broken('http', 'the server fails: status 500', () =>
      fakeHttp(() => ({ outcome: 'status', status: 500, body: null })),
    ),
    broken('http', 'the server answers what was not agreed on', () =>
      fakeHttp(() => ({ outcome: 'ok', status: 200, body: null })),
    ),
  ],
  store: [
    {
      name: 'nothing can be kept',
      make: () => ({
        port: { store: fakeStore(undefined, new Error('the disk is full')) },
        isAsked: () => true,
      }),
      tells: false,
    },
  ],
};

function broken<Name extends 'dns' | 'smtp' | 'http'>(
  port: Name,
  name: string,
  open: () => Ports[Name] & { readonly asked: readonly unknown[] },
  tells = true,
): Broken {
  const make = () => {
    const fake = open();
    return { port: { [port]: fake }, isAsked: () => fake.asked.length > 0 };
  };
  return { name, make, tells };
}

/** What has to hold while something outside fails, or takes too long. */
export function failureChecks(
  provider: SignalProvider,
  cases: readonly CaseInWorld[],
): readonly ContractCheck[] {
  const checks = (provider.uses ?? [])
    .flatMap((used) => BROKEN[used] ?? [])
    .map((one) => ({
      name: `answers unknown, and why, where ${one.name}`,
      run: () => holdFailure(provider, cases, one),
    }));
  if (provider.stage !== 'network') return checks;
  return [
    ...checks,
    {
      name: 'comes back once the answer is not awaited any more',
      run: () => holdAbort(provider, cases),
    },
  ];
}

async function holdFailure(provider: SignalProvider, cases: readonly CaseInWorld[], failing: Broken) {
  const faults: string[] = [];
  let isAsked = false;
  let isTold = false;
  for (const { email, given } of cases) {
    const { port, isAsked: wasAsked } = failing.make();
    const ask = await prepared(provider, { ...given, ports: { ...given.ports, ...port } });
    try {
      const { answer, breaches } = await ask(anAddress(email));
      faults.push(...breaches.map((breach) => `${email}: ${breach}`));
      isAsked ||= wasAsked();
      isTold ||= wasAsked() && provider.facts.some(({ id }) => isUnknown(factOf(answer, id)));
    } catch (error) {
      faults.push(`${email}: ${thrownBy(error)}; answer unknown(reason) instead`);
    }
  }
  if (faults.length === 0 && !isAsked) faults.push('no case makes it ask: add one that does');
  else if (faults.length === 0 && failing.tells && !isTold)
    faults.push('all facts were known all the same: a failure is no answer, so it is unknown(reason)');
  refuse(faults);
}

async function holdAbort(provider: SignalProvider, cases: readonly CaseInWorld[]) {
  for (const { email, given } of cases) {
    const silent = { dns: fakeDns('silence'), smtp: fakeSmtp('silence'), http: fakeHttp('silence') };
    const ask = await prepared(provider, { ...given, ports: { ...given.ports, ...silent } });
    const controller = new AbortController();
    let isBack = false;
    const back = ask(anAddress(email), controller.signal)
      // The answer comes too late to be checked.
      .catch(() => undefined)
      .then(() => {
        isBack = true;
      });
    const isAsked = () => Object.values(silent).some(({ asked }) => asked.length > 0);
    for (let turns = 0; turns < 50 && !isBack && !isAsked(); turns++) await new Promise(setImmediate);
    controller.abort(new DOMException('the time is over', 'TimeoutError'));
    await withDeadline(PATIENCE_MS, (late) => unlessAborted(late, back, undefined));
    if (!isBack) {
      refuse([
        `${email}: still at work ${PATIENCE_MS} ms after context.signal fired; hand the signal on to all that you await`,
      ]);
    }
  }
}
