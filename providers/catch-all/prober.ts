import type { Clock, ProviderLog, ProviderStore, SmtpAnswer, SmtpProber } from 'postern/provider-kit';
import { DailyBudget } from './daily-budget.ts';
import { hashed } from './hashed.ts';
import { LIFE_SECONDS, readVerdict, type Verdict, verdictOf, writeVerdict } from './verdict.ts';

/** How mail hosts are asked: from the options. */
export interface Manner {
  readonly heloName: string;
  readonly port: number;
  readonly allowPrivateAddresses: boolean;
  readonly dailyProbes: number;
  readonly dailyProbesPerDomain: number;
}

export interface ProberPorts {
  readonly smtp: SmtpProber;
  readonly store: ProviderStore;
  readonly clock: Clock;
  readonly log: ProviderLog;
}

/** Where a domain's mail goes. */
export interface Mail {
  readonly domain: string;
  /** The most preferred first. */
  readonly exchanges: readonly [string, ...string[]];
}

/** Why no mail host was asked. */
export interface NotAsked {
  readonly notAsked: string;
}

/** Domains that wait or are being asked about; more would wait longer than their answers are of use. */
const MAX_UNDER_WAY = 1_000;
/** Questions in a row that reached no host: then the way out of this machine is closed, not the hosts. */
const UNREACHABLE_IN_A_ROW = 20;

/** Asks mail hosts whether domains are catch-all, and keeps their answers across restarts. */
export class Prober {
  readonly #ports: ProberPorts;
  readonly #manner: Manner;
  readonly #budget: DailyBudget;
  readonly #underWay = new Map<string, Promise<Verdict | NotAsked>>();
  #unreachable = 0;
  #usedUpOn = '';

  constructor(ports: ProberPorts, manner: Manner) {
    this.#ports = ports;
    this.#manner = manner;
    const { store, clock } = ports;
    const { dailyProbes, dailyProbesPerDomain } = manner;
    this.#budget = new DailyBudget({ store, clock, total: dailyProbes, perDomain: dailyProbesPerDomain });
  }

  /** Asks the most preferred host, or joins the question that is under way. Never rejects; may take minutes when many wait. */
  ask(mail: Mail): Promise<Verdict | NotAsked> {
    const key = keyOf(mail);
    const running = this.#underWay.get(key);
    if (running) return running;
    if (this.#underWay.size >= MAX_UNDER_WAY) return Promise.resolve({ notAsked: 'too many domains wait' });
    const asked = this.#ask(mail, key)
      .catch((err: unknown) => {
        // Perhaps no check awaits this promise: its rejection would end the process.
        this.#ports.log.warn({ err }, 'a mail host could not be asked');
        return { notAsked: 'it failed' };
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asked);
    return asked;
  }

  async #ask({ domain, exchanges }: Mail, key: string): Promise<Verdict | NotAsked> {
    const { smtp, store, clock, log } = this.#ports;
    const { heloName, port, allowPrivateAddresses } = this.#manner;
    if (!(await this.#budget.take(domain))) {
      this.#warnOnceADay();
      return { notAsked: 'the daily budget is used up' };
    }
    // Never a less preferred one: a backup host, which keeps mail for another host, takes mail for every address.
    const [exchange] = exchanges;
    const answer = await smtp.probe({ domain, exchange, port, heloName, allowPrivateAddresses });
    if (answer.outcome === 'aborted') return { notAsked: 'the service stops' };
    this.#noteReach(answer);
    const verdict = verdictOf(answer, clock.now());
    try {
      await store.set(key, writeVerdict(verdict), LIFE_SECONDS[verdict.state]);
    } catch (err) {
      log.warn({ err }, 'what a mail host said could not be kept: it will be asked again');
    }
    return verdict;
  }

  #warnOnceADay(): void {
    const day = new Date(this.#ports.clock.now()).toISOString().slice(0, 10);
    if (this.#usedUpOn === day) return;
    this.#usedUpOn = day;
    this.#ports.log.warn(
      {},
      'a daily budget of questions to mail hosts is used up: what it would tell is unknown',
    );
  }

  #noteReach({ outcome, step }: SmtpAnswer): void {
    if (outcome === 'no_address' || outcome === 'private_address') return;
    const isReached = outcome !== 'unreachable' && step !== 'connect';
    this.#unreachable = isReached ? 0 : this.#unreachable + 1;
    if (this.#unreachable !== UNREACHABLE_IN_A_ROW) return;
    const { port } = this.#manner;
    this.#ports.log.warn({ port }, 'no mail host can be reached: most clouds close port 25 outwards');
  }
}

/** The verdict that is kept for this domain with exactly these exchanges. */
export async function recall(mail: Mail, store: ProviderStore): Promise<Verdict | undefined> {
  const text = await store.get(keyOf(mail));
  return text === undefined ? undefined : readVerdict(text);
}

/** By the set of exchanges, whatever its order: another set is another mail service. */
function keyOf({ domain, exchanges }: Mail): string {
  return `verdict ${hashed([domain, ...[...exchanges].sort()].join(' '))}`;
}

const probers = new WeakMap<SmtpProber, Prober>();

/** One prober for each process, kept across reloads: a reload must not forget what is under way and spent. */
export function proberOf(ports: ProberPorts, manner: Manner): Prober {
  let prober = probers.get(ports.smtp);
  if (!prober) {
    prober = new Prober(ports, manner);
    probers.set(ports.smtp, prober);
  }
  return prober;
}
