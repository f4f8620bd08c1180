import { Button, Group, Stack } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { useMay } from '../../account-in-view.ts';
import { type Label, ownLabelOf, useLabel, type WholeCheck } from '../../api/checks.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LabelBadge } from '../../ui/label-badge.tsx';

/** The label of the check, and for people who may, buttons to set it. */
export function LabelButtons({ check }: { readonly check: WholeCheck }) {
  const label = useLabel(check);
  const [holding] = check.labels;
  const own = ownLabelOf(check);
  const isDeveloper = useMay({ account: 'developer' });
  // Checks of test keys take no labels.
  const mayLabel = isDeveloper && check.environment === 'live';
  const press = (wanted: Label) => label.mutate(own === wanted ? 'none' : wanted);
  return (
    <Stack gap={4} align="flex-end">
      {mayLabel ? (
        <Group gap="xs" role="group" aria-label="What became of it">
          <LabelButton wanted="good" isSet={own === 'good'} isBusy={label.isPending} onPress={press} />
          <LabelButton wanted="bad" isSet={own === 'bad'} isBusy={label.isPending} onPress={press} />
        </Group>
      ) : (
        holding && <LabelBadge label={holding.label} />
      )}
      {holding && (
        <Dimmed>
          {`${holding.label}${holding.of === 'person' ? ', as all of this address' : ''}, by ${holding.author ?? holding.source}`}
        </Dimmed>
      )}
      <ErrorNotice error={label.error} deed="The label was not changed" />
    </Stack>
  );
}

interface ButtonProps {
  readonly wanted: Label;
  readonly isSet: boolean;
  readonly isBusy: boolean;
  readonly onPress: (label: Label) => void;
}

function LabelButton({ wanted, isSet, isBusy, onPress }: ButtonProps) {
  const LabelIcon = wanted === 'good' ? IconThumbUp : IconThumbDown;
  return (
    <Button
      size="xs"
      variant={isSet ? 'light' : 'default'}
      color={wanted === 'good' ? 'teal' : 'red'}
      aria-pressed={isSet}
      disabled={isBusy}
      leftSection={<LabelIcon size={14} aria-hidden />}
      onClick={() => onPress(wanted)}
    >
      {wanted === 'good' ? 'Good' : 'Bad'}
    </Button>
  );
}
