import { Code, Stack, Text } from '@mantine/core';
import { useNavigateInAccount } from '../../../account-in-view.ts';
import { formatCount } from '../../../format/numbers.ts';
import { FormDialog } from '../../../ui/dialog-form.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { totalOf } from '../effect/counts.ts';
import { type ShadowReport, useDraftOfChallenger } from '../queries.ts';
import { Criteria, PromotionBadge } from './promotion.tsx';

interface Props {
  readonly report: NonNullable<ShadowReport['challenger']>;
  readonly onClose: () => void;
}

/** Asks before a whole rule set counts: shows the criteria, and makes a draft of it. */
export function PromoteChallengerDialog({ report, onClose }: Props) {
  const navigate = useNavigateInAccount();
  const begin = useDraftOfChallenger();
  const { ruleset, checks, flips, promotion } = report;
  const [blocked, allowed] = [totalOf(flips.to_block.counts), totalOf(flips.to_allow.counts)];
  const submit = async () => {
    const { id } = await begin.mutateAsync(ruleset);
    navigate(`/rules?draft=${encodeURIComponent(id)}&tab=flips`);
  };
  return (
    <FormDialog
      title="Promote the challenger?"
      size="xl"
      submitLabel="Make a draft of it"
      change={begin}
      deed="No draft was made"
      onSubmit={() => submit().catch(() => undefined)}
      onClose={onClose}
    >
      <Stack gap="sm">
        <PromotionBadge promotion={promotion} />
        <Text size="sm">
          Of {formatCount(checks.total)} live checks, <Code>{ruleset}</Code> would have blocked{' '}
          {formatCount(blocked)} that were let in, and let in {formatCount(allowed)} that were blocked.
        </Text>
        <Criteria promotion={promotion} />
        <Dimmed size="sm">
          The editor opens with a draft of its files, and shows what they change and what they would have done
          to the checks on record. <Code>signals.yaml</Code>, <Code>allow.yaml</Code> and{' '}
          <Code>deny.yaml</Code> stay as they are in force: the challenger saw their facts. Nothing is in
          force before you publish the draft.
        </Dimmed>
      </Stack>
    </FormDialog>
  );
}
