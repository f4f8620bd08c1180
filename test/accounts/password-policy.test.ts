import { describe, expect, it } from 'vitest';
import { weaknessOf } from '../../src/accounts/password-policy.ts';

const ada = { email: 'ada.lovelace@firm.example', name: 'Ada Lovelace' };

describe('a password', () => {
  it.each(['four walnut canoes adrift', 'xK9#mQ2$vL7!', 'пароль из трёх слов', '犬猫鳥魚馬牛羊豚虎象鹿狐'])(
    '%s will do',
    (password) => expect(weaknessOf(password, ada)).toBeUndefined(),
  );

  it.each([
    ['is too short', 'xK9#mQ2$vL7', /at least 12/],
    ['is too long', 'ab3$'.repeat(33), /at most 128/],
    ['is a word that is guessed first', 'password1234', /guessed/],
    ['is a row of keys', '1q2w3e4r5t6y', /guessed/],
    ['is the person’s name', 'AdaLovelace1815', /guessed/],
    ['is the person’s firm', 'firm.example.1', /guessed/],
    ['is the product’s name', 'Postern-2026!', /guessed/],
    ['says one thing again and again', 'abababababab', /guessed/],
  ])('%s: %s', (_why, password, why) => {
    expect(weaknessOf(password, ada)).toMatch(why);
  });

  it('may hold a word that is guessed first where enough is left', () => {
    expect(weaknessOf('password of the seventh walrus', ada)).toBeUndefined();
  });
});
