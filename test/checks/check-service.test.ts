import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../src/accounts/key.ts';
import type { Assessment, Assessor, CheckCounting } from '../../src/checks/assessor.ts';
import type { CheckRecorder } from '../../src/checks/check-record.ts';
import { CheckService } from '../../src/checks/check-service.ts';
import { noMetrics } from '../../src/observability/metrics.ts';
import type { Span } from '../../src/observability/tracing.ts';
import type { Reservation, VelocityCounters } from '../../src/shared-state/ports.ts';

const KEY = { id: 'key_1', accountId: 'acc_1', environment: 'live', family: 'key_1' } as ApiKey;
const ASSESSMENT = { decision: { action: 'ALLOW', level: 'low' } } as unknown as Assessment;

describe('CheckService', () => {
  let happened: string[];
  let record: PromiseWithResolvers<void>;

  beforeEach(() => {
    happened = [];
    record = Promise.withResolvers();
  });

  const tell = (what: string) => () => void happened.push(what);

  function serviceOf({
    assess = async () => ASSESSMENT,
    id = () => 'chk_1',
  }: {
    assess?: () => Promise<Assessment>;
    id?: () => string;
  } = {}): CheckService {
    const receipt = {
      numbers: {},
      settle: async () => tell('counted')(),
      undo: async () => tell('not counted')(),
    };
    const countAndAssess = async (_email: string, _world: string, counting?: CheckCounting) => {
      await counting?.count('jane@example.com', []);
      return assess();
    };
    return new CheckService(
      { assess: countAndAssess } as unknown as Assessor,
      { record: () => record.promise } as unknown as CheckRecorder,
      { now: () => 0 },
      id,
      { count: async () => receipt } satisfies VelocityCounters,
      noMetrics,
    );
  }

  const reservation = () =>
    ({
      at: 0,
      settle: async () => tell('place used')(),
      release: async () => {},
      doubt: async () => {},
    }) satisfies Reservation;

  it('counts a check once it is recorded, not when it is decided', async () => {
    const { check, recorded } = await serviceOf().check('jane@example.com', KEY, reservation());
    expect(check).toMatchObject({ id: 'chk_1', createdAt: '1970-01-01T00:00:00.000Z', ...ASSESSMENT });
    expect(happened).toEqual([]);
    record.resolve();
    await recorded;
    expect(happened).toEqual(['counted', 'place used']);
  });

  it('marks the record as failed in the trace of a check that cannot be recorded', async () => {
    const span = (name: string): Span => ({
      child: (within) => span(within),
      run: (work) => work(),
      end: (_attributes, hasFailed = false) => tell(`${name} ${hasFailed ? 'failed' : 'done'}`)(),
    });
    const { recorded } = await serviceOf().check('jane@example.com', KEY, reservation(), span('request'));
    record.reject(new Error('disk full'));
    await expect(recorded).rejects.toThrow('disk full');
    expect(happened).toContain('record failed');
  });

  it('takes the counts back when a check cannot be recorded', async () => {
    const { recorded } = await serviceOf().check('jane@example.com', KEY, reservation());
    record.reject(new Error('disk full'));
    await expect(recorded).rejects.toThrow('disk full');
    expect(happened).toEqual(['not counted']);
  });

  it.each([
    ['decided', { assess: () => Promise.reject(new Error('bug')) }],
    [
      'named',
      {
        id: () => {
          throw new Error('bug');
        },
      },
    ],
  ])('takes the counts back when a check cannot be %s', async (_case, broken) => {
    await expect(serviceOf(broken).check('jane@example.com', KEY, reservation())).rejects.toThrow('bug');
    expect(happened).toEqual(['not counted']);
  });
});
