import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { TextList } from '../../../ui/text-list.tsx';
import type { Tests } from '../queries.ts';

const MOST = 20;

/** Why the service would refuse the rules. */
export function Refusals({ tests: { refusals, passed, problems } }: { readonly tests: Tests }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="These rules would not be taken">
      <Text size="sm">
        {/* With errors of lint no test was run. */}
        {problems.length === 0 && `${passed} tests pass. `}Mend the rules, or the tests that say what is
        meant, and publish again:
      </Text>
      <TextList items={refusals.slice(0, MOST)} isCode mt="xs" />
      {refusals.length > MOST && <Text size="sm">And {refusals.length - MOST} more.</Text>}
    </Alert>
  );
}
