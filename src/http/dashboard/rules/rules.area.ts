import { defineArea } from '../area.ts';
import * as drafts from './drafts.route.ts';
import { RuleServices } from './rule-services.ts';
import * as versions from './versions.route.ts';
import * as workbench from './workbench.route.ts';

export const RULES_AREA = defineArea({
  name: 'rules',
  description:
    'The workbench of analysts: drafts of rules, what they would have done, publishing and going back.',
  services: RuleServices,
  endpoints: [
    workbench.getRules,
    workbench.getLanguage,
    workbench.lintFiles,
    workbench.testFiles,
    workbench.replayFiles,
    workbench.compareRules,
    workbench.getShadow,
    drafts.createDraft,
    drafts.getDraft,
    drafts.saveDraft,
    drafts.discardDraft,
    drafts.bringDraftUp,
    drafts.backtestDraft,
    drafts.publishDraft,
    versions.listVersions,
    versions.getVersion,
    versions.rollBackTo,
  ],
});
