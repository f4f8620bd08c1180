import {
  cleanLocalPart,
  defineProvider,
  type FactDeclaration,
  localPartWithoutTag,
} from 'postern/provider-kit';
import { countSeparators, measure } from './measure.ts';

const counted = (name: string, description: string, example: number): FactDeclaration => ({
  id: `local_part.${name}`,
  type: 'integer',
  description,
  example,
  never_unknown: true,
});

export default defineProvider({
  id: 'local_part',
  apiVersion: 1,
  description: 'How long the local part is, and how many digits and separators it has.',
  stage: 'local',
  facts: [
    counted('length', 'Characters of the canonical local part, its tag cut.', 8),
    counted('digits', 'Digits 0 to 9 in the canonical local part.', 2),
    counted('trailing_digits', 'Digits 0 to 9 at the end of the canonical local part, without a break.', 2),
    counted(
      'separators',
      'Dots, underscores, hyphens and plus signs in the local part as it was written, before its tag.',
      1,
    ),
  ],
  never: [
    [{ fact: 'local_part.digits', operator: 'greaterThan', value: { fact: 'local_part.length' } }],
    [{ fact: 'local_part.trailing_digits', operator: 'greaterThan', value: { fact: 'local_part.digits' } }],
  ],
  check: (address) => {
    const { length, digits, trailingDigits } = measure(cleanLocalPart(address));
    return {
      facts: {
        'local_part.length': length,
        'local_part.digits': digits,
        'local_part.trailing_digits': trailingDigits,
        // Counted as written: Gmail's canonical form has no dots left.
        'local_part.separators': countSeparators(localPartWithoutTag(address)),
      },
    };
  },
});
