import type { InjectionToken } from '../../di.ts';
import { messageOf } from '../../lib/thrown.ts';

/** One part of the service. */
export interface ReadinessCheck {
  readonly name: string;
  /** Throws or rejects when it does not work. */
  readonly check: () => unknown;
  /** Checks are answered without it, only less well: no reason to send traffic elsewhere. */
  readonly isExtra?: true;
}

export type PartState = 'ok' | 'degraded' | 'failing';

export interface ReadinessReport {
  readonly ready: boolean;
  readonly states: Readonly<Record<string, PartState>>;
  /** Why, for each that is not ok. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Collects what `/readyz` reports; draining is failing on purpose. */
export class Readiness {
  readonly #checks: readonly ReadinessCheck[];
  #draining = false;

  constructor(checks: readonly ReadinessCheck[]) {
    this.#checks = checks;
  }

  startDraining(): void {
    this.#draining = true;
  }

  async report(): Promise<ReadinessReport> {
    const reasons: Record<string, string> = {};
    const states: Record<string, PartState> = {};
    for (const { name, check, isExtra } of this.#checks) {
      const reason = await faultOf(check);
      if (reason !== undefined) reasons[name] = reason;
      states[name] = reason === undefined ? 'ok' : isExtra ? 'degraded' : 'failing';
    }
    if (this.#draining) reasons.accepting = 'the service is stopping';
    states.accepting = this.#draining ? 'failing' : 'ok';
    return { ready: !Object.values(states).includes('failing'), states, reasons };
  }
}

/** What `/readyz` reports. */
export const READINESS: InjectionToken<Readiness> = Symbol('Readiness');

async function faultOf(check: () => unknown): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
