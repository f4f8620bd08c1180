/** One thing that must work before traffic is sent here. */
export interface ReadinessCheck {
  readonly name: string;
  /** Throws when it does not work. */
  readonly check: () => void;
}

export interface ReadinessReport {
  readonly ready: boolean;
  readonly states: Readonly<Record<string, 'ok' | 'failing'>>;
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
    const states: Record<string, 'ok' | 'failing'> = {};
    for (const { name, check } of this.#checks) states[name] = works(check) ? 'ok' : 'failing';
    states.accepting = this.#draining ? 'failing' : 'ok';
    return { ready: Object.values(states).every((state) => state === 'ok'), states };
  }
}

function works(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
