import { Stack, Text } from '@mantine/core';
import { useNavigateInAccount } from '../../../account-in-view.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { totalOf } from '../effect/counts.ts';
import { Criteria, PromotionBadge } from './promotion.tsx';
import type { TriedRule } from './tried-rules.ts';

interface Props {
  readonly rule: TriedRule;
  readonly onClose: () => void;
}

/** Before a rule counts: what speaks for it, and the way to publish it. */
export function PromoteDialog({ rule: { live, shown, basis }, onClose }: Props) {
  const navigate = useNavigateInAccount();
  const { id, promotion, is_mirrored } = live;
  const [blocked, allowed] = [totalOf(shown.flips.to_block.counts), totalOf(shown.flips.to_allow.counts)];
  return (
    <Dialog onClose={onClose} title={`Promote ${id}?`} size="xl">
      <DialogForm
        submitLabel="Make it live in the editor"
        onSubmit={() => navigate(`/rules?promote=${encodeURIComponent(id)}&tab=flips`)}
        onCancel={onClose}
      >
        <Stack gap="sm">
          <PromotionBadge promotion={promotion} />
          <Text size="sm">
            Were it live, {formatCount(blocked)} checks would have been blocked and {formatCount(allowed)} let
            in ({basis}).
          </Text>
          <Criteria promotion={promotion} isMirrored={is_mirrored} />
          <Text size="sm" c="dimmed">
            The editor opens with the rule as <code>mode: live</code>. Nothing is in force before you publish
            it there, with its backtest.
          </Text>
        </Stack>
      </DialogForm>
    </Dialog>
  );
}
