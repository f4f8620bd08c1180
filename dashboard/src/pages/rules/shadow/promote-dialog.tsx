import { Stack, Text } from '@mantine/core';
import { useNavigateInAccount } from '../../../account-in-view.ts';
import { formatCount } from '../../../format/numbers.ts';
import { FormDialog } from '../../../ui/dialog-form.tsx';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { totalOf } from '../effect/counts.ts';
import { Criteria, PromotionBadge } from './promotion.tsx';
import type { TriedRule } from './tried-rules.ts';

interface Props {
  readonly rule: TriedRule;
  readonly onClose: () => void;
}

/** Asks before a rule counts, or counts for more people: shows the criteria, and leads to the editor. */
export function PromoteDialog({ rule: { live, shown, basis }, onClose }: Props) {
  const navigate = useNavigateInAccount();
  const { id, promotion, is_mirrored, rollout } = live;
  const [blocked, allowed] = [totalOf(shown.flips.to_block.counts), totalOf(shown.flips.to_allow.counts)];
  const would = (more: string) =>
    `${formatCount(blocked)} ${more}checks would have been blocked and ${formatCount(allowed)} let in (${basis}).`;
  return (
    <FormDialog
      title={rollout === null ? `Promote ${id}?` : `Roll out ${id} further?`}
      size="xl"
      submitLabel={rollout === null ? 'Make it live in the editor' : 'Raise it in the editor'}
      onSubmit={() =>
        navigate(`/rules?${rollout === null ? 'promote' : 'form'}=${encodeURIComponent(id)}&tab=flips`)
      }
      onClose={onClose}
    >
      <Stack gap="sm">
        <PromotionBadge promotion={promotion} />
        <Text size="sm">
          {rollout === null
            ? `Were it live, ${would('')}`
            : `It counts for ${rollout.percent} % of people. Did it count for everyone, ${would('more ')}`}
        </Text>
        <Criteria promotion={promotion} isMirrored={is_mirrored} />
        <Dimmed size="sm">
          {rollout === null ? (
            <>
              The editor opens with the rule as <code>mode: live</code>; where it has a <code>rollout</code>,
              for that part of people.
            </>
          ) : (
            'The editor opens with the rule as a form: raise its percentage, or leave it empty for everyone. Those for whom it counts already stay.'
          )}{' '}
          Nothing is in force before you publish it there, with its backtest.
        </Dimmed>
      </Stack>
    </FormDialog>
  );
}
