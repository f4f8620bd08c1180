import type { Cost } from './cost.ts';
import type { MeasuringData } from './measuring-data.ts';
import type { Metric } from './metric.ts';
import type { Postern } from './postern.ts';

/** One signal, measured. */
export interface SignalQuality {
  /** Packages whose versions belong above the table. */
  readonly peers: readonly string[];
  measure(data: MeasuringData, postern: Postern): Promise<readonly Metric[]>;
  /** Runs before `measure`, which would load the packages and distort their memory. */
  costs?(data: MeasuringData): Promise<readonly Cost[]>;
}
