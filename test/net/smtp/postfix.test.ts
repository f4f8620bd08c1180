import { expect, it } from 'vitest';
import { aPostfix, whyNoPostfix } from '../../support/postfix.ts';
import { aClient } from './a-client.ts';

const NAME =
  'a Postfix that requires TLS gives different outcomes for a catch-all domain, an ordinary one and a foreign one';

if (whyNoPostfix !== null) it.skip(`${NAME} (skipped: ${whyNoPostfix})`);
else {
  it(NAME, async () => {
    const { port } = await aPostfix();
    const { ask } = aClient();
    expect(await ask(port, { domain: 'all.example' })).toEqual({
      outcome: 'all_accepted',
      step: 'rcpt',
      code: 250,
    });
    expect(await ask(port, { domain: 'strict.example' })).toEqual({
      outcome: 'no_such_mailbox',
      step: 'rcpt',
      code: 550,
      enhancedCode: '5.1.1',
    });
    expect(await ask(port, { domain: 'other.example' })).toMatchObject({
      outcome: 'deferred',
      enhancedCode: '4.7.1',
    });
  });
}
