import type { Address } from '../address.ts';
import type { FactDeclaration, SignalProvider } from '../provider.ts';
import { isUnknown } from '../unknown.ts';
import { type GeneratedAddress, generatedAddresses } from './addresses.ts';
import { type ContractCases, type ContractCheck, prepared, refuse, thrownBy } from './contract-case.ts';
import { fakeClock, fakeLog, fakePorts, fakeStore } from './fake-ports.ts';

const COUNT = 1_000;
/** Faults after which a check stops. */
const MOST_TOLD = 3;

/** What has to hold for any address. */
export function generatedChecks(
  provider: SignalProvider,
  { given, seed = 1 }: ContractCases,
): readonly ContractCheck[] {
  /** Runs over the generated addresses. A fault names index and seed, with which its address can be generated again. */
  const eachAddress = (
    name: string,
    faultsOf: (ask: Asked) => Promise<readonly string[]>,
  ): ContractCheck => ({
    name: `${name}, for ${COUNT.toLocaleString('en')} generated addresses (seed ${seed})`,
    run: async () => {
      const clock = given?.ports?.clock ?? fakeClock();
      const kept = fakeStore(clock);
      const log = fakeLog();
      const ports = fakePorts({ clock, store: kept, ...given?.ports, log });
      const ask = await prepared(provider, { ...given, ports });
      const told: string[] = [];
      for (const one of generatedAddresses(COUNT, seed)) {
        const faults = await faultsOf({ one, ask, kept, log, provider });
        if (faults.length > 0) {
          const at = `address ${one.index} of seed ${seed}, ${JSON.stringify(one.address.raw)}`;
          told.push(...new Set(faults.map((fault) => `${at}: ${fault}`)));
        }
        if (told.length >= MOST_TOLD) break;
      }
      refuse(told);
    },
  });
  return [
    eachAddress('never throws, and answers as declared', holdDeclaration),
    eachAddress('lets out no part of an address that is not declared personal', holdPrivacy),
  ];
}

interface Asked {
  readonly one: GeneratedAddress;
  readonly ask: Awaited<ReturnType<typeof prepared>>;
  readonly kept: ReturnType<typeof fakeStore>;
  readonly log: ReturnType<typeof fakeLog>;
  readonly provider: SignalProvider;
}

async function holdDeclaration({ one, ask }: Asked): Promise<readonly string[]> {
  try {
    return (await ask(one.address)).breaches;
  } catch (error) {
    return [thrownBy(error)];
  }
}

async function holdPrivacy({ one, ask, kept, log, provider }: Asked): Promise<readonly string[]> {
  const [linesBefore, keysBefore] = [log.lines.length, new Set(kept.entries.keys())];
  // Another check reports what `check` throws.
  const run = await ask(one.address).catch(() => undefined);
  const faults: string[] = [];
  if (run) {
    const { answer } = run;
    if (isUnknown(answer)) {
      if (quotes(answer.detail, one)) faults.push('what it says of unknown quotes the address');
    } else {
      for (const [id, value] of Object.entries(answer.facts))
        if (isUnknown(value) && quotes(value.detail, one))
          faults.push(`what it says of ${id} quotes the address`);
        // Also of a fact that is `personal: 'domain'`: the marker stands in the local part alone.
        else if (quotes(value, one) && !isPersonal(provider, id))
          faults.push(`the value of ${id} quotes the address: declare the fact personal: true`);
      for (const [member, value] of Object.entries(answer.evidence ?? {}))
        if (quotes([member, value], one) && !isPersonal(provider, `${provider.id}.${member}`))
          faults.push(
            `evidence.${member} quotes the address: leave it out, or declare a fact "${provider.id}.${member}" that is personal: true`,
          );
    }
  }
  if (log.lines.slice(linesBefore).some((line) => quotes(line, one)))
    faults.push('a line of its log quotes the address');
  for (const [key, value] of kept.entries) {
    if (keysBefore.has(key)) continue;
    if (quotes([key, value], one) || [key, value].some((text) => hasDomain(text, one.address)))
      faults.push('what it keeps in its store has the address or the domain in clear: hash it');
  }
  return faults;
}

/** Whether a fact is `personal: true`. A member of the evidence is withheld where a fact of its name is. */
function isPersonal({ facts }: SignalProvider, id: string): boolean {
  return facts.some((fact: FactDeclaration) => fact.id === id && fact.personal === true);
}

/** Whether a value has the marker in it, in any case. The marker is too long to be found by chance. */
function quotes(value: unknown, { marker }: GeneratedAddress): boolean {
  if (value === undefined) return false;
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    inner instanceof Error ? String(inner) : inner,
  );
  return text.toLowerCase().includes(marker);
}

/** Whether a text has a domain of the address in it. A name below 8 characters is not looked for: it stands in many texts. */
function hasDomain(text: string, { domain, canonical }: Address): boolean {
  return [domain, canonical.domain].some((name) => name.length >= 8 && text.includes(name));
}
