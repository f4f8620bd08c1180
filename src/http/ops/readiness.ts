/** One thing that must work before traffic is sent here. */
export interface ReadinessCheck {
  readonly name: string;
  /** Throws when it does not work. */
  readonly check: () => void;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly states: Readonly<Record<string, 'ok' | 'failing'>>;
  /** Why, for each that is failing. */
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

  report(): ReadinessReport {
    const reasons: Record<string, string> = {};
    for (const { name, check } of this.#checks) {
      const reason = faultOf(check);
      if (reason !== undefined) reasons[name] = reason;
    }
    if (this.#draining) reasons.accepting = 'the service is stopping';
    const names = [...this.#checks.map(({ name }) => name), 'accepting'];
    const states = Object.fromEntries(
      names.map((name) => [name, name in reasons ? ('failing' as const) : ('ok' as const)]),
    );
    return { ready: Object.keys(reasons).length === 0, states, reasons };
  }
}

function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
