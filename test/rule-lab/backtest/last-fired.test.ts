import { expect, it } from 'vitest';
import { compile, group, is, points, when } from '../../rules/rules-directory.ts';
import { backtest, caseOf } from './cases.ts';

it('a backtest tells when each rule fired last, whatever the order of the cases', async () => {
  const live = (value: string) => `${points(10)}, ${when(is('domain.tld_risk_level', value))}`;
  const ruleSet = compile({
    'a.yaml': group('a', { high: live('high'), medium: live('medium'), low: live('low') }),
  });
  const at = (day: number) => `2026-11-${day}T10:00:00.000Z`;
  const { rules } = await backtest({ base: ruleSet, candidate: ruleSet }, [
    caseOf('1', { 'domain.tld_risk_level': 'high' }, { createdAt: at(12) }),
    caseOf('2', { 'domain.tld_risk_level': 'high' }, { createdAt: at(14) }),
    caseOf('3', { 'domain.tld_risk_level': 'high' }, { createdAt: at(13) }),
    caseOf('4', { 'domain.tld_risk_level': 'low' }),
  ]);
  expect(rules.map(({ id, candidate }) => [id, candidate?.last_fired])).toEqual([
    ['high', at(14)],
    ['low', null],
    ['medium', null],
  ]);
});
