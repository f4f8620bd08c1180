import type { FirstSteps } from '../../api/first-steps.ts';

export interface Step {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The page where the step is done; null where it is done elsewhere. */
  readonly href: string | null;
  readonly isDone: boolean;
}

/** The first steps of a new account, as far as they concern the person. */
export function stepsOf(done: FirstSteps, hasOwnAuthority: boolean): readonly Step[] {
  const steps: readonly (Step | null)[] = [
    {
      id: 'key',
      title: 'Issue a key',
      text: 'Programs ask with a key. Its secret is shown once; put it into the variable POSTERN_KEY.',
      href: '/keys',
      isDone: done.live_key,
    },
    hasOwnAuthority
      ? {
          id: 'certificate',
          title: 'Trust the certificate',
          text: 'Download the authority below, or give Postern a certificate of your own (http.tls).',
          href: null,
          // A call that got through has trusted the certificate.
          isDone: done.live_check,
        }
      : null,
    {
      id: 'call',
      title: 'Make the first call',
      text: 'Take a sample below in your language; the check is here a moment later.',
      href: null,
      isDone: done.live_check,
    },
    {
      id: 'test-key',
      title: 'Issue a test key',
      text: 'For your own tests: a fixed world, no look-up leaves, no quota is used.',
      href: '/keys',
      isDone: done.test_key,
    },
    done.others_invited === null
      ? null
      : {
          id: 'invite',
          title: 'Invite the others',
          text: 'Analysts for the rules, developers and viewers for accounts.',
          href: '/people',
          isDone: done.others_invited,
        },
    {
      id: 'label',
      title: 'Label a check',
      text: 'Good or bad, once you know what became of a signup: rules are measured by it.',
      href: '/checks',
      isDone: done.label,
    },
    done.lists_fresh === null
      ? null
      : {
          id: 'lists',
          title: 'Keep the lists fresh',
          text: 'Of the domains abused today a list of last month names fewer than half: name one in lists.urls.',
          href: '/lists',
          isDone: done.lists_fresh,
        },
  ];
  return steps.filter((step) => step !== null);
}
