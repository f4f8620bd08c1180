import { Anchor, Group, Text } from '@mantine/core';
import { AccountLink } from '../../ui/account-link.tsx';
import { useSearchOfChecks } from './check-filters.ts';

/** Without letters that are taken for digits (Crockford's base 32). */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Hex digits of the hash that are shown, as eight letters: a million addresses have 0.45 pairs with the same ones on average. */
const SHOWN_DIGITS = 10;

/** `4f7k-92mq`: the same for one address on every page, made of the keyed hash on record, from which no address can be told. */
export function pseudonymOf(person: string): string {
  let rest = Number.parseInt(person.slice(0, SHOWN_DIGITS), 16);
  let letters = '';
  for (let place = 0; place < 8; place += 1) {
    letters = `${LETTERS[rest % LETTERS.length]}${letters}`;
    rest = Math.floor(rest / LETTERS.length);
  }
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Whether a text has the form of a pseudonym. */
export function isPseudonym(text: string): boolean {
  return new RegExp(`^[${LETTERS}]{4}-[${LETTERS}]{4}$`).test(text.trim().toLowerCase());
}

interface Props {
  readonly person: string;
  /** How many of the checks shown are of this address. */
  readonly count: number;
}

/** Leads to all checks of the address. */
export function Pseudonym({ person, count }: Props) {
  const searchOf = useSearchOfChecks();
  return (
    <Group gap={4} wrap="nowrap">
      <Anchor
        component={AccountLink}
        href={searchOf({ person })}
        size="xs"
        ff="monospace"
        c="dimmed"
        // The least height of a pointer target (WCAG 2.2, 2.5.8).
        display="inline-block"
        lh="24px"
        aria-label={`All checks of the address ${pseudonymOf(person)}`}
      >
        {pseudonymOf(person)}
      </Anchor>
      {count > 1 && (
        <Text span size="xs" fw={600} title={`${count} of the checks shown here are of this address`}>
          {`×${count}`}
        </Text>
      )}
    </Group>
  );
}
