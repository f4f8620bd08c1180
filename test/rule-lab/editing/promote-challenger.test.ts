import { expect, it } from 'vitest';
import { promotionOf } from '../../../src/rule-lab/editing/rule-editing.ts';

const IN_FORCE = {
  'domain.yaml': 'old',
  'gone.yaml': 'old',
  'signals.yaml': 'old',
  'deny.yaml': 'old',
  'tests/domain.yaml': 'old',
};

it('replaces the files in force by the files of the challenger, and removes the others', () => {
  expect(promotionOf({ 'domain.yaml': 'new', 'more.yaml': 'new' }, IN_FORCE)).toEqual({
    ...{ 'domain.yaml': 'new', 'more.yaml': 'new', 'gone.yaml': null },
  });
});

it('keeps the files that produce facts, whether the challenger has them or not', () => {
  const changes = promotionOf({ ...IN_FORCE, 'signals.yaml': 'new', 'allow.yaml': 'new' }, IN_FORCE);
  expect(Object.keys(changes)).not.toContain('signals.yaml');
  expect(Object.keys(changes)).not.toContain('allow.yaml');
  expect(Object.keys(changes)).not.toContain('deny.yaml');
});

it('uses the tests of the challenger where it has some, and no other', () => {
  expect(
    promotionOf({ ...IN_FORCE, 'tests/other.yaml': 'new' }, { ...IN_FORCE, 'tests/x.yaml': 'x' }),
  ).toMatchObject({
    'tests/other.yaml': 'new',
    'tests/x.yaml': null,
  });
});
