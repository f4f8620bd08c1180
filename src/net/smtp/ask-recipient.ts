import type { SmtpAnswer, SmtpQuestion } from '../../provider-kit/index.ts';
import { type Reply, SessionFailure, type SmtpConnection } from './smtp-connection.ts';

export type Partner = Pick<SmtpConnection, 'reply' | 'command' | 'secure'>;

type RecipientQuestion = Pick<SmtpQuestion, 'heloName' | 'exchange'> & { readonly recipient: string };

/**
 * Asks whether the host takes mail for one recipient, up to the reply to RCPT: no mail is sent, and the caller
 * ends the connection. The sender is the null one, which every host must take (RFC 5321 section 4.5.5) and no reply goes to.
 */
export async function askRecipient(
  partner: Partner,
  { heloName, exchange, recipient }: RecipientQuestion,
): Promise<SmtpAnswer> {
  let step = 'greeting';
  const say = (next: string, line: string) => {
    step = next;
    return partner.command(line);
  };
  try {
    const greeting = await partner.reply();
    if (greeting.code !== 220) return settledBy(greeting, step);

    let hello = await say('ehlo', `EHLO ${argument(heloName)}`);
    // RFC 5321 section 3.2: a host that does not know EHLO is greeted in the old way.
    if (hello.code === 500 || hello.code === 502) hello = await say('helo', `HELO ${argument(heloName)}`);
    if (hello.code !== 250) return settledBy(hello, step);

    if (hello.lines.some((line) => line.trim().toUpperCase() === 'STARTTLS')) {
      const start = await say('starttls', 'STARTTLS');
      if (start.code !== 220) return settledBy(start, step);
      step = 'tls';
      await partner.secure(exchange);
      const again = await say('ehlo', `EHLO ${argument(heloName)}`);
      if (again.code !== 250) return settledBy(again, step);
    }
    const mail = await say('mail', 'MAIL FROM:<>');
    if (mail.code !== 250) return settledBy(mail, step);
    const rcpt = await say('rcpt', `RCPT TO:<${argument(recipient)}>`);
    // RFC 5321 section 4.3.2: 251 takes the mail too, and forwards it.
    if (rcpt.code === 250 || rcpt.code === 251) return { outcome: 'all_accepted', step, code: rcpt.code };
    return settledBy(rcpt, step);
  } catch (error) {
    if (error instanceof SessionFailure) return { outcome: error.outcome, step };
    throw error;
  }
}

/** Nothing that ends a line or an argument: what is put into a command stays one argument of that command. */
export function argument(text: string): string {
  return text.replace(/[^\x21-\x7e]|[<>]/g, '');
}

/** Codes of a recipient that is not there: RFC 5321 section 4.2.3. */
const NO_RECIPIENT = new Set([550, 551, 553]);
/** RFC 3463 section 3.2: the class of addresses, without those that speak of the sender's (X.1.7, X.1.8). */
const ADDRESS_STATUS = /^5\.1\.(?!0*[78]$)/;

function settledBy({ code, lines }: Reply, step: string): SmtpAnswer {
  const enhancedCode = enhancedCodeOf(code, lines[0] ?? '');
  const told = { step, code, ...(enhancedCode !== undefined && { enhancedCode }) };
  if (code >= 400 && code < 500) return { outcome: 'deferred', ...told };
  if (code < 500) return { outcome: 'malformed', ...told };
  const isAboutMailbox = step === 'rcpt' && NO_RECIPIENT.has(code) && ADDRESS_STATUS.test(enhancedCode ?? '');
  return { outcome: isAboutMailbox ? 'no_such_mailbox' : 'rejected', ...told };
}

/** RFC 2034 section 4: at the beginning of the text, of the class of the code. */
function enhancedCodeOf(code: number, text: string): string | undefined {
  const [, found] = /^([245]\.[0-9]{1,3}\.[0-9]{1,3})(?:\s|$)/.exec(text) ?? [];
  return found?.[0] === String(code)[0] ? found : undefined;
}
