import { Button, Code, Group, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { formatCount, formatCounted, formatShare } from '../../../format/numbers.ts';
import { Dimmed } from '../../../ui/dimmed.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { StatTile } from '../../../ui/stat-tile.tsx';
import { totalOf } from '../effect/counts.ts';
import type { ShadowReport } from '../queries.ts';
import { FlipExamples } from './flip-examples.tsx';
import { PromoteChallengerDialog } from './promote-challenger-dialog.tsx';
import { Criteria, PromotionBadge } from './promotion.tsx';

interface Props {
  readonly report: NonNullable<ShadowReport['challenger']>;
  readonly others: ShadowReport['other_challengers'];
}

/** The rule set of `rules.challenger_dir`, compared with the answers that were given. */
export function ChallengerCard({ report, others }: Props) {
  const { ruleset, checks, agreement, flips, scores, recall, false_positive_rate, promotion } = report;
  const [isAsked, { open, close }] = useDisclosure();
  return (
    <Panel
      title="Challenger"
      description={
        <>
          <Code>{ruleset}</Code> beside {formatCounted(checks.total, 'check that was', 'checks that were')}{' '}
          answered
        </>
      }
      actions={
        <Group gap="xs">
          <PromotionBadge promotion={promotion} />
          <Button size="xs" variant="default" onClick={open}>
            Promote…
          </Button>
        </Group>
      }
    >
      {isAsked && <PromoteChallengerDialog report={report} onClose={close} />}
      <Stack>
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          <StatTile label="Agrees" value={formatShare(agreement.share)} hint="the same action" />
          <StatTile
            label="Would block"
            value={formatCount(totalOf(flips.to_block.counts))}
            hint={`and let in ${formatCount(totalOf(flips.to_allow.counts))}`}
          />
          <StatTile
            label="Bad stopped"
            value={formatShare(recall.challenger.share)}
            hint={`answered: ${formatShare(recall.answered.share)}`}
          />
          <StatTile
            label="Good turned away"
            value={formatShare(false_positive_rate.challenger.share)}
            hint={`answered: ${formatShare(false_positive_rate.answered.share)}`}
          />
        </SimpleGrid>
        <Dimmed size="sm">
          Scores: {formatCount(scores.same)} the same, {formatCount(scores.higher)} higher,{' '}
          {formatCount(scores.lower)} lower.
        </Dimmed>
        <Criteria promotion={promotion} />
        <FlipExamples flips={flips} />
        {others.length > 0 && (
          <Dimmed size="sm">
            Tried at other times:{' '}
            {others.map((one) => `${one.ruleset} (${formatCounted(one.checks, 'check')})`).join(', ')}.
          </Dimmed>
        )}
      </Stack>
    </Panel>
  );
}
