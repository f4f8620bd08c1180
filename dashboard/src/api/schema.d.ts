// Generated from the description of the management API by `npm run openapi`.
export interface paths {
    "/dashboard/api/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The accounts that one may look into.
         * @description For every person who is signed in.
         */
        get: operations["list_accounts"];
        put?: never;
        /**
         * Make an account.
         * @description For owners.
         */
        post: operations["create_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The checks of an account.
         * @description Each filter that is named must hold. A page looks at 20,000 checks at most; where it found little, `searched_back_to` says how far it got, and `next` goes on from there.
         *
         *     For members of the account, analysts and owners.
         */
        get: operations["find_checks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/checks.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The checks of an account, as a file.
         * @description For members of the account, analysts and owners.
         */
        get: operations["export_checks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/checks/{check_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One check.
         * @description For members of the account, analysts and owners.
         */
        get: operations["show_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/checks/{check_id}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the rules in force make of a check, and what would change its action.
         * @description For members of the account, analysts and owners.
         */
        get: operations["explain_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/checks/{check_id}/label": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say what became of a check, or take it back.
         * @description Backtests are judged by it. It comes before the label of the check’s person. Checks of test keys take no label.
         *
         *     For developers of the account, and owners.
         */
        put: operations["label_check"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/first-steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What of the first hour is done.
         * @description For members of the account, analysts and owners.
         */
        get: operations["show_first_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys of an account, ended ones too.
         * @description For members of the account, analysts and owners.
         */
        get: operations["list_keys"];
        put?: never;
        /**
         * Make a key.
         * @description For developers of the account, and owners.
         */
        post: operations["issue_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a key from its next request on.
         * @description A key that was revoked before keeps its time.
         *
         *     For developers of the account, and owners.
         */
        post: operations["revoke_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret for a key; the old one goes on for a while.
         * @description Both share one rate limit. After the grace the old one is refused like a revoked one.
         *
         *     For developers of the account, and owners.
         */
        post: operations["rotate_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Say what became of several checks.
         * @description Checks that are not on record, or of test keys, take no label.
         *
         *     For developers of the account, and owners.
         */
        put: operations["label_checks"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the account may ask, and what it has asked this month.
         * @description For members of the account, analysts and owners.
         */
        get: operations["show_limits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the checks of an account came to.
         * @description For members of the account, analysts and owners.
         */
        get: operations["show_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/accounts/{account_id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How often an account has asked, by day and by key.
         * @description As far as the checks are on record: `retention.days`, and the erasure of a person, take theirs out of it.
         *
         *     For members of the account, analysts and owners.
         */
        get: operations["show_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The conditions that want a person now, the most urgent first.
         * @description Members are told of the keys and the quota of their accounts, operators of everything.
         *
         *     For every person who is signed in.
         */
        get: operations["list_attention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what.
         * @description Operators see everything; members what was done in their accounts.
         *
         *     For every person who is signed in.
         */
        get: operations["list_audit_trail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/certificate-authority": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The authority that programs must trust, where the service made its own certificate.
         * @description For every person who is signed in.
         */
        get: operations["download_certificate_authority"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The checks of all accounts.
         * @description Each filter that is named must hold. A page looks at 20,000 checks at most; where it found little, `searched_back_to` says how far it got, and `next` goes on from there.
         *
         *     For analysts and owners.
         */
        get: operations["find_all_checks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/checks.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The checks of all accounts, as a file.
         * @description For analysts and owners.
         */
        get: operations["export_all_checks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/checks/{check_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One check, of whichever account.
         * @description For analysts and owners.
         */
        get: operations["show_any_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/checks/person": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The hash by which the checks of an address are found.
         * @description So that no email address appears in a URL or in a log.
         *
         *     For every person who is signed in.
         */
        post: operations["name_person"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a person, as an operator or as a member of an account.
         * @description The link is good once, for seven days. One that was made before for the same email ends.
         *
         *     For owners.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Links that have not been used: to set up, to join, to choose a new password.
         * @description For owners.
         */
        get: operations["list_links"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/links/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a link.
         * @description For owners.
         */
        delete: operations["revoke_link"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every list that affects decisions: allow and deny, downloaded lists, data of the providers
         * @description For analysts and owners.
         */
        get: operations["list_lists"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/{list}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add, change or remove an entry of allow or deny, and wait until it is in force
         * @description Lint and the tests of the rules run on the file first. Where Postern may not write the directory the answer is a patch.
         *
         *     For analysts and owners.
         */
        post: operations["change_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/{list}/effect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a change of allow or deny would make of the checks on record; nothing is changed
         * @description For analysts and owners.
         */
        post: operations["show_effect_of_list_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/downloads/{list}/effect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an update or a rollback of a list would make of the checks on record; nothing is changed
         * @description An update is downloaded and judged for it.
         *
         *     For analysts and owners.
         */
        post: operations["show_effect_of_download"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/downloads/{list}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the snapshot of a list back that was in force before
         * @description For analysts and owners.
         */
        post: operations["roll_list_back"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/downloads/{list}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Download a list now, one that was rolled back too
         * @description For analysts and owners.
         */
        post: operations["update_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/named": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a named list, and wait until it is in force
         * @description Lint and the tests of the rules run first. Where Postern may not write the directory the answer is a patch.
         *
         *     For analysts and owners.
         */
        post: operations["make_named_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/named-effect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Which checks on record a new named list would name; nothing is changed
         * @description No rule looks into it yet, so that no decision flips.
         *
         *     For analysts and owners.
         */
        post: operations["show_effect_of_new_named_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/named/{list}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add, change or remove an entry of a named list, and wait until it is in force
         * @description Lint and the tests of the rules run first. Where Postern may not write the directory the answer is a patch.
         *
         *     For analysts and owners.
         */
        post: operations["change_named_list"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/named/{list}/effect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a change of a named list would make of the checks on record; nothing is changed
         * @description For analysts and owners.
         */
        post: operations["show_effect_of_named_list_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/lists/named/{list}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A named list with a page of its entries
         * @description For analysts and owners.
         */
        get: operations["show_named_list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the checks of all accounts came to.
         * @description For analysts and owners.
         */
        get: operations["show_whole_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The people who may sign in.
         * @description For owners.
         */
        get: operations["list_people"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/people/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a person; their sessions end.
         * @description For owners.
         */
        delete: operations["remove_person"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/people/{person_id}/password-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link with which a person chooses a new password.
         * @description Good once, for 24 hours. One that was made before ends. Until it is used the old password works.
         *
         *     For owners.
         */
        post: operations["make_password_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/people/{person_id}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the roles of a person.
         * @description Replaces all roles that the person has; holds for the person’s next request.
         *
         *     For owners.
         */
        put: operations["set_roles"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every provider of signals, and the state of the DNS servers.
         * @description `GET /overview` has how often and how fast they answer.
         *
         *     For analysts and owners.
         */
        get: operations["list_providers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rules in force, what is published, and the drafts
         * @description For analysts and owners.
         */
        get: operations["get_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/challenger/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a draft of what the challenger is made of, to be published like any
         * @description Without `signals.yaml`, `allow.yaml` and `deny.yaml`, of which facts are made: it saw those of the rules in force. The tests in force stay where it has none.
         *
         *     For analysts and owners.
         */
        post: operations["draft_challenger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What differs between two sets, in text and in meaning
         * @description For analysts and owners.
         */
        get: operations["compare_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save changes of the rules in force as a draft
         * @description For analysts and owners.
         */
        post: operations["create_rule_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/drafts/{draft_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A draft with its files, and those that it was made of
         * @description For analysts and owners.
         */
        get: operations["get_rule_draft"];
        put?: never;
        post?: never;
        /**
         * Discard a draft
         * @description For analysts and owners.
         */
        delete: operations["discard_rule_draft"];
        options?: never;
        head?: never;
        /**
         * Save a draft
         * @description For analysts and owners.
         */
        patch: operations["save_rule_draft"];
        trace?: never;
    };
    "/dashboard/api/rules/drafts/{draft_id}/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The step before publishing: what the draft would have done, noted in it
         * @description For analysts and owners.
         */
        post: operations["backtest_rule_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/drafts/{draft_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a draft and wait until it is in force
         * @description What was backtested is published: the same revision, against the rules in force now.
         *
         *     For analysts and owners.
         */
        post: operations["publish_rule_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/language": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The language of rule files: facts, operators and the schemas of the files
         * @description For analysts and owners.
         */
        get: operations["get_rule_language"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/lint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What lint says of these files, which need not be saved
         * @description For analysts and owners.
         */
        post: operations["lint_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring what was changed here into the rules in force, or into a draft that another person has saved
         * @description Nothing is stored. Files that are neither in `base` nor in `mine` are taken as they are there.
         *
         *     For analysts and owners.
         */
        post: operations["merge_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What these files would have done to the checks on record, beside the rules in force
         * @description For analysts and owners.
         */
        post: operations["replay_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/replay/flips.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Every check on record that these files would answer otherwise than the rules in force, as a file
         * @description Of the newest 100,000 live checks of those days, the newest first. A draft or a version is a filter of checks too: `flips`.
         *
         *     For analysts and owners.
         */
        post: operations["export_rule_flips"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/shadow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What shadow rules and the challenger came to on live traffic, and whether they may be promoted
         * @description For analysts and owners.
         */
        get: operations["get_shadow_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the tests of these files come to
         * @description For analysts and owners.
         */
        post: operations["test_rules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every set of rules that was in force, the newest first
         * @description For analysts and owners.
         */
        get: operations["list_rule_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A set of rules that was in force, with its files
         * @description For analysts and owners.
         */
        get: operations["get_rule_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/rules/versions/{version}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write the files of a version back and wait until they are in force
         * @description For analysts and owners.
         */
        post: operations["roll_rules_back"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, and may look into which accounts? */
        get: operations["get_session"];
        put?: never;
        /**
         * Sign in.
         * @description At most 5 attempts in 15 minutes for one email from one client address, and 20 for all from there; what succeeds does not count.
         */
        post: operations["sign_in"];
        /**
         * End this session.
         * @description For every person who is signed in.
         */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Choose another password; all other sessions end.
         * @description Attempts count as those to sign in do.
         *
         *     For every person who is signed in.
         */
        put: operations["change_password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use a link: join, or choose a new password; then be signed in.
         * @description A person who joins gives a name, and an email where the link names none. A refused attempt leaves the link valid.
         */
        post: operations["redeem_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/setup/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What does a link do?
         * @description By POST, so that its token appears in no log. Changes nothing.
         */
        post: operations["look_at_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/try-it": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The facts that can be tried.
         * @description For every person who is signed in.
         */
        get: operations["show_try_it"];
        put?: never;
        /**
         * Assess an address, told piece by piece.
         * @description As a check with a live key would, and recorded nowhere: no quota is spent and nothing is counted, so that `velocity.*` is unknown. A line each: `begun`, an `answer` of every provider when it is there, `so_far` what the rules make of what is known until then, `decided` at the end. Without the last the answer broke off.
         *
         *     For every person who is signed in.
         */
        post: operations["try_address"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/try-it/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What the rules in force make of given facts.
         * @description For every person who is signed in.
         */
        post: operations["decide_facts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How often each account has asked, by day and by key.
         * @description As far as the checks are on record: `retention.days`, and the erasure of a person, take theirs out of it.
         *
         *     For analysts and owners.
         */
        get: operations["show_whole_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** account */
        account: {
            /** Format: date-time */
            created_at: string;
            id: string;
            name: string;
        };
        /** any_session */
        any_session: {
            /** @description Those that the person may look into: every account, for operators. */
            accounts: {
                id: string;
                name: string;
                /** @enum {string} */
                role: "developer" | "viewer" | "operator";
            }[];
            /** @description Whether what is shown is made up. */
            demo: boolean;
            operator_role: ("owner" | "analyst") | null;
            /** @description Whether the service made its own certificate, whose authority clients do not trust yet. */
            own_authority: boolean;
            /** @description Null where you are not signed in: no role then, and no account. */
            person: {
                email: string;
                id: string;
                name: string;
            } | null;
            /** @description Of Postern. */
            version: string;
        };
        /** api_key */
        api_key: {
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            environment: "live" | "test";
            expires_at: string | null;
            id: string;
            name: string | null;
            /** @description The first characters of the secret; the rest is not stored. */
            prefix: string;
            replaced_by: string | null;
            revoked_at: string | null;
            /** @description When it last came over plain HTTP, where it could be read on the way: rotate it. */
            seen_in_clear_at: string | null;
            /**
             * @description `ending`: another key takes its place; until `expires_at` both work.
             * @enum {string}
             */
            state: "active" | "ending" | "ended" | "revoked";
        };
        /** attention_finding */
        attention_finding: {
            found: {
                /** @description Null for what concerns the installation. */
                account_id: string | null;
                text: string;
            }[];
            /** @enum {string} */
            id: "checks_refused" | "rules_not_in_force" | "dns_out" | "seen_in_clear" | "quota_used_up" | "certificate_ends" | "quota_nearly_used" | "list_old" | "provider_unknowns_risen" | "retention_waits";
            /** @description Of the dashboard: where it is shown, or the part of a document that says what to do. */
            page: string;
            /** @description What to do, in a sentence. */
            remedy: string;
            /** @enum {string} */
            severity: "critical" | "warning";
            title: string;
        };
        /** audit_entry */
        audit_entry: {
            account_id: string | null;
            /** @description One of those of the query, or one that another version knows. */
            action: string;
            /** Format: date-time */
            at: string;
            detail: Record<string, never>;
            id: string;
            /** @description The email then, or `command line`. */
            person: string;
            person_id: string | null;
            subject: string | null;
        };
        /** challenger_report */
        challenger_report: {
            agreement: components["schemas"]["share"];
            answered_by: {
                checks: number;
                ruleset: string;
            }[];
            checks: {
                bad: number;
                censored: number;
                good: number;
                total: number;
                unlabelled: number;
            };
            /** @description Days on which it was tried, from the first; a hit of a challenger is a BLOCK. */
            days: {
                checks: number;
                day: string;
                hits: number;
            }[];
            false_positive_rate: {
                answered: components["schemas"]["share"];
                challenger: components["schemas"]["share"];
            };
            first: string | null;
            flips: {
                to_allow: {
                    counts: components["schemas"]["label_counts"];
                    examples: {
                        /** Format: date-time */
                        created_at: string;
                        domain: string | null;
                        from: {
                            action: string;
                            risk_level: string;
                            risk_score: number;
                        };
                        id: string;
                        label: ("good" | "bad") | null;
                        to: {
                            action: string;
                            risk_level: string;
                            risk_score: number;
                        };
                    }[];
                };
                to_block: {
                    counts: components["schemas"]["label_counts"];
                    examples: {
                        /** Format: date-time */
                        created_at: string;
                        domain: string | null;
                        from: {
                            action: string;
                            risk_level: string;
                            risk_score: number;
                        };
                        id: string;
                        label: ("good" | "bad") | null;
                        to: {
                            action: string;
                            risk_level: string;
                            risk_score: number;
                        };
                    }[];
                };
            };
            last: string | null;
            promotion: components["schemas"]["rule_promotion"];
            recall: {
                answered: components["schemas"]["share"];
                challenger: components["schemas"]["share"];
            };
            ruleset: string;
            scores: {
                higher: number;
                lower: number;
                mean_difference: number | null;
                same: number;
            };
        };
        /** check_explanation */
        check_explanation: {
            /** @description The named conditions of the rules in force: what they stand for, and the rules that use them. */
            conditions: {
                /** @description Null where facts that are unknown leave it open. */
                holds: boolean | null;
                means: string;
                name: string;
                rules: string[];
            }[];
            /** @description Of every at_least of the rules in force, which of its parts held, and how many more it needs. */
            counts: {
                rule: string;
                told: string;
            }[];
            /** @description What the rules in force make of the recorded facts. */
            decision: components["schemas"]["decision"];
            /** @description Of each named list that a rule looks into and that has a domain of the check, the entry by which it does. */
            lists: {
                entry: string;
                fact: string;
                list: string;
                value: string;
            }[];
            /** @description Facts that its record does not have: rules that need one cannot be judged. */
            missing: string[];
            turn: {
                /** @enum {string} */
                action: "ALLOW" | "BLOCK";
                flips: components["schemas"]["check_flip"][];
                /** @description The fewest that it is away; null where no score would do. */
                points: number | null;
            };
        };
        /** check_flip */
        check_flip: {
            /** @enum {string} */
            action: "ALLOW" | "BLOCK";
            changes: components["schemas"]["facts"];
            from: components["schemas"]["facts"];
            /** @enum {string} */
            risk_level: "low" | "medium" | "high";
            risk_score: number;
        };
        /** check_signal */
        check_signal: {
            evidence: {
                [key: string]: unknown;
            } | null;
            facts: components["schemas"]["facts"];
            provider: string;
            /** @description Version of its data. */
            source: string | null;
            took_us: number | null;
            unknown: {
                [key: string]: string;
            };
        };
        /** data_list */
        data_list: {
            age_days: number | null;
            date: string | null;
            entries: number;
            name: string;
            provider: string;
            version: string | null;
        };
        /** decision */
        decision: {
            /** @enum {string} */
            action: "ALLOW" | "BLOCK";
            ledger: components["schemas"]["ledger_entry"][];
            /** @enum {string} */
            risk_level: "low" | "medium" | "high";
            risk_score: number;
            /** @description Of the rules in the ledger that are rolled out, on which side the person is. */
            rollouts: components["schemas"]["side_of_rollout"][];
            ruleset: string;
        };
        /** decision_count */
        decision_count: {
            /** @enum {string} */
            action: "ALLOW" | "BLOCK";
            checks: number;
            /** @enum {string} */
            level: "low" | "medium" | "high";
        };
        /** decision_figures */
        decision_figures: {
            block_rate: components["schemas"]["share"];
            false_positive_rate: components["schemas"]["share"];
            precision: components["schemas"]["share"];
            recall: components["schemas"]["share"];
        };
        /** dns_server */
        dns_server: {
            /** @description Its circuit is open: it does not reply, and is only probed. */
            is_out: boolean;
            server: string;
            /** @description Null where it has replied since the start. */
            since: string | null;
        };
        /** domain_figures */
        domain_figures: {
            blocked: number;
            checks: number;
            domain: string;
        };
        /** downloaded_list */
        downloaded_list: {
            age_hours: number | null;
            confirmed_at: string | null;
            entries: number;
            /** @description Domains that it had within the last year and has no more. */
            gone: number;
            last_attempt: {
                /** Format: date-time */
                at: string;
                reason: string | null;
                /** @enum {unknown} */
                result: "taken" | "unchanged" | "refused" | "failed";
            } | null;
            /** @description Entries that were ignored because a list must not have them. */
            left_out: string[];
            /** @description Its id, as in files, logs and metrics. */
            list: string;
            /** @description As people know it: domains.txt of lists.example.org. */
            name: string;
            next_attempt_at: string | null;
            /** @description The one in force first. */
            snapshots: components["schemas"]["list_snapshot"][];
            /**
             * @description held: rolled back; not updated until that is done by hand.
             * @enum {unknown}
             */
            state: "fresh" | "stale" | "missing" | "held";
            taken_at: string | null;
            url: string;
        };
        error_envelope: {
            error: {
                /** @enum {string} */
                code: "bad_request" | "invalid_json" | "missing_email" | "missing_api_key" | "malformed_api_key" | "invalid_api_key" | "https_required" | "not_found" | "method_not_allowed" | "request_timeout" | "body_too_large" | "unsupported_media_type" | "unparseable_email" | "rate_limited" | "quota_exhausted" | "headers_too_large" | "internal_error" | "unavailable" | "invalid_request" | "busy" | "not_signed_in" | "wrong_credentials" | "forbidden" | "not_rotatable" | "foreign_origin" | "email_taken" | "name_taken" | "roles_changed" | "label_changed" | "last_owner" | "invalid_link" | "weak_password" | "draft_changed" | "backtest_required" | "rules_changed" | "challenger_changed" | "list_changed" | "rules_refused" | "rules_too_large" | "rules_not_written";
                /** @description What exactly is wrong, where the code alone does not tell. */
                details?: {
                    message: string;
                    path?: string;
                }[];
                /** @description For people; may be reworded. */
                message: string;
                request_id: string;
            };
        };
        /** facts */
        facts: {
            [key: string]: boolean | number | string | null;
        };
        /** first_steps */
        first_steps: {
            /** @description The account was made within the last week, or has never asked. */
            is_new: boolean;
            label: boolean;
            /** @description Null for those who are no operators: it is of the installation. */
            lists_fresh: boolean | null;
            /** @description A check of a live key is on record. */
            live_check: boolean;
            live_key: boolean;
            /** @description Null for those who are no operators: it is of the installation. */
            others_invited: boolean | null;
            test_key: boolean;
        };
        /** found_checks */
        found_checks: {
            checks: components["schemas"]["listed_check"][];
            /** @description What `after` must be to go on; null at the end. */
            next: string | null;
            /** @description How far this page has looked: one that finds little ends before it is full. */
            searched_back_to: string | null;
        };
        /** given_label */
        given_label: {
            author: string | null;
            /** @enum {string} */
            label: "good" | "bad";
            /** Format: date-time */
            labelled_at: string;
            /** @enum {string} */
            of: "check" | "person";
            source: string;
        };
        /** issued_key */
        issued_key: {
            key: components["schemas"]["api_key"];
            /** @description Shown this once: it is not stored. */
            secret: string;
        };
        /** key_usage */
        key_usage: {
            account_id: string;
            checks: number;
            key_id: string;
            /** Format: date-time */
            last_used_at: string;
        };
        /** label_counts */
        label_counts: {
            bad: number;
            good: number;
            unlabelled: number;
        };
        /** ledger_entry */
        ledger_entry: {
            /** @enum {string} */
            action: "ALLOW" | "BLOCK";
            id: string;
            /** @constant */
            kind: "force";
            /** @constant */
            points: 0;
            saw: components["schemas"]["facts"];
        } | {
            group: string;
            id: string;
            /** @constant */
            kind: "rule";
            points: number;
            saw: components["schemas"]["facts"];
        } | {
            by: string;
            id: string;
            /** @constant */
            kind: "absorbed";
            points: number;
        } | {
            group: string;
            /** @constant */
            kind: "cap";
            max_score: number;
            points: number;
        } | {
            /** @constant */
            kind: "bound";
            /** @constant */
            max: 100;
            /** @constant */
            min: 0;
            points: number;
        } | {
            id: string;
            /** @constant */
            kind: "stood_aside";
            /** @constant */
            points: 0;
            unknown: string[];
        } | {
            id: string;
            /** @constant */
            kind: "shadow";
            /** @constant */
            points: 0;
            saw: components["schemas"]["facts"];
            would_add: number;
        } | {
            id: string | null;
            /** @constant */
            kind: "level";
            /** @enum {string} */
            level: "low" | "medium" | "high";
            /** @constant */
            points: 0;
            saw: components["schemas"]["facts"];
        } | {
            /** @enum {string} */
            action: "ALLOW" | "BLOCK";
            id: string | null;
            /** @constant */
            kind: "action";
            /** @constant */
            points: 0;
            saw: components["schemas"]["facts"];
        };
        /** limits */
        limits: {
            /** @description Null where there is no quota. */
            checks_per_month: number | null;
            /** @description UTC: `2026-11`. */
            month: string;
            /** Format: date-time */
            month_ends_at: string;
            /** @description Of a key and those that replaced it. */
            rate_limit: {
                requests: number;
                window_seconds: number;
            };
            /** @description Answered live checks of this month, whether still on record or not. */
            used: number;
        };
        /** list_effect */
        list_effect: {
            /** @description Live checks that were looked at: the newest of `of`, 100,000 at most. */
            checks: number;
            days: number;
            flips: {
                to_allow: components["schemas"]["list_flips"];
                to_block: components["schemas"]["list_flips"];
            };
            of: number;
            /** Format: date-time */
            since: string;
            /** @description Of which a provider would find something else in the lists. */
            touched: number;
            /** @description Domains that records hold under another name, to which they are normalized: not in these figures. */
            unseen: string[];
            /** @description Of which nothing can be told: their records hold no domain. */
            without_domain: number;
        };
        /** list_entry */
        list_entry: {
            expires: string | null;
            /** @description The other list has it too: at equal rank ALLOW wins. */
            is_contested: boolean;
            is_repeated: boolean;
            owner: string;
            reason: string;
            /** @description What is compared: of an address, its canonical form. */
            stands_for: string;
            /**
             * @description soon: ends within thirty days.
             * @enum {unknown}
             */
            state: "holds" | "soon" | "expired";
            value: string;
        };
        /** list_flips */
        list_flips: {
            counts: components["schemas"]["label_counts"];
            /** @description The newest. */
            examples: {
                /** Format: date-time */
                created_at: string;
                domain: string | null;
                id: string;
                label: ("good" | "bad") | null;
                score: {
                    base: number;
                    candidate: number;
                };
            }[];
        };
        /** list_snapshot */
        list_snapshot: {
            /** Format: date-time */
            confirmed_at: string;
            entries: number;
            gone: number;
            sha256: string;
            /** Format: date-time */
            taken_at: string;
        };
        /** listed_check */
        listed_check: {
            account_id: string;
            /** @enum {string} */
            action: "ALLOW" | "BLOCK";
            /** @description Only where `privacy.store_addresses` is `plain`. */
            address: string | null;
            /** Format: date-time */
            created_at: string;
            domain: string | null;
            duration_us: number | null;
            /** @enum {string} */
            environment: "live" | "test";
            id: string;
            key_id: string;
            label: ("good" | "bad") | null;
            person: string | null;
            /** @enum {string} */
            risk_level: "low" | "medium" | "high";
            risk_score: number;
            rules: {
                id: string;
                points: number;
            }[];
            ruleset: string;
            /** @description Facts that were unknown. */
            unknown: string[];
        };
        /** made_link */
        made_link: {
            /** Format: date-time */
            expires_at: string;
            id: string;
            /** @description Shown this once: `/setup#…`. */
            path: string;
        };
        /** membership */
        membership: {
            account_id: string;
            /** @enum {string} */
            role: "developer" | "viewer";
        };
        /** named_entry */
        named_entry: {
            expires: string | null;
            is_repeated: boolean;
            owner: string | null;
            reason: string | null;
            stands_for: string;
            /**
             * @description soon: ends within thirty days.
             * @enum {unknown}
             */
            state: "holds" | "soon" | "expired";
            value: string;
        };
        /** named_list */
        named_list: {
            /** @description Null in a .txt list. */
            description: string | null;
            entries: number;
            expired: number;
            /** @description Entries that end within thirty days. */
            expiring_soon: number;
            /** @description Mistakes in the file. No change is accepted before they are fixed. */
            faults: string[];
            file: string;
            name: string;
            /** @description The last day on which all its entries of now hold. */
            next_end: string | null;
            owner: string | null;
            /** @description That look into it; null where rules have errors, so that it cannot be told. */
            rules: {
                file: string;
                id: string;
                mode: string;
            }[] | null;
            /** @description Sent with a change: one that was made of an older version is refused. */
            version: string;
            /** @description What lint says of it besides. */
            warnings: {
                code: string;
                hint: string | null;
                line: number;
                message: string;
            }[];
        };
        /** new_named_list */
        new_named_list: {
            /** @description What stands in it: of a .yaml list, and there it must be. */
            description?: string;
            /** @description x.org, or .x.org for the domain and its subdomains. */
            entries: string[];
            /**
             * @description The ending of its file.
             * @enum {unknown}
             */
            kind: "yaml" | "txt";
            /** @description Of a-z, 0-9 and _: what rules call it by. */
            name: string;
            /** @description Whom to ask: the same. */
            owner?: string;
        };
        /** one_time_link */
        one_time_link: {
            /** @description Whom it is for; null where the person who uses it says. */
            email: string | null;
            /** Format: date-time */
            expires_at: string;
            /** @enum {string} */
            purpose: "setup" | "invitation" | "password";
        };
        /** open_link */
        open_link: {
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
            /** @description Whom it is for; null where the person who uses it says. */
            email: string | null;
            /** Format: date-time */
            expires_at: string;
            id: string;
            membership: components["schemas"]["membership"] | null;
            operator_role: ("owner" | "analyst") | null;
            /** @description Whose password it sets. */
            person_id: string | null;
            /** @enum {string} */
            purpose: "setup" | "invitation" | "password";
        };
        /** overview */
        overview: {
            blocked: number;
            /** @enum {string} */
            bucket: "hour" | "day";
            buckets: components["schemas"]["overview_bucket"][];
            /** @description Of live keys, as everything here but `test_checks`. */
            checks: number;
            /** @description Of the checks of this time, the share that these figures are of. Below 1 where hours are still being counted, the newest first: ask again, and more of them are. */
            counted_share: number;
            decisions: components["schemas"]["decision_count"][];
            different_domains: number;
            domains: components["schemas"]["domain_figures"][];
            latency: components["schemas"]["percentiles"];
            providers: components["schemas"]["provider_figures"][];
            rules: components["schemas"]["rule_figures"][];
            scores: components["schemas"]["score_figures"][];
            /** Format: date-time */
            since: string;
            test_checks: number;
            /** Format: date-time */
            until: string;
        };
        /** overview_bucket */
        overview_bucket: {
            /** Format: date-time */
            begins_at: string;
            decisions: components["schemas"]["decision_count"][];
            latency: components["schemas"]["percentiles"];
        };
        /** own_list */
        own_list: {
            entries: components["schemas"]["list_entry"][];
            /** @description Mistakes in the file. No change is accepted before they are fixed. */
            faults: string[];
            file: string;
            /** @enum {unknown} */
            list: "allow" | "deny";
            /** @description Sent with a change: one that was made of an older version is refused. */
            version: string;
        };
        /** percentiles */
        percentiles: {
            /** @description Durations that these are of. */
            measured: number;
            p50_us: number | null;
            p95_us: number | null;
            p99_us: number | null;
        };
        /** person */
        person: {
            /** Format: date-time */
            created_at: string;
            email: string;
            id: string;
            memberships: components["schemas"]["membership"][];
            name: string;
            operator_role: ("owner" | "analyst") | null;
        };
        /** provider */
        provider: {
            cache: {
                /** @enum {unknown} */
                by: "domain" | "address";
                known_seconds: number;
                unknown_seconds: number;
            } | null;
            description: string;
            facts: components["schemas"]["provider_fact"][];
            id: string;
            is_enabled: boolean;
            lists: components["schemas"]["data_list"][];
            /** @description Facts of other providers that it waits for. */
            needs: string[];
            options: {
                description: string | null;
                name: string;
                value: unknown;
            }[];
            /** @description The version of its data. */
            source: string | null;
            /** @enum {unknown} */
            stage: "local" | "network";
            /** @description Null where only the deadline of the check applies. */
            timeout_ms: number | null;
            /** @description What it may touch. */
            uses: string[];
        };
        /** provider_fact */
        provider_fact: {
            description: string;
            id: string;
            is_never_unknown: boolean;
            /** @description It quotes the address. */
            is_personal: boolean;
            /** @description The member of the response that it fills. */
            slot: string | null;
            /** @enum {unknown} */
            type: "boolean" | "integer" | "number" | "string" | "text" | "domain";
            values: string[];
        };
        /** provider_figures */
        provider_figures: {
            anew: components["schemas"]["percentiles"];
            id: string;
            reasons: {
                checks: number;
                reason: string;
            }[];
            timing: components["schemas"]["percentiles"];
            /** @description Checks in which it left a fact unknown. */
            unknown: number;
        };
        /** replayed_rule */
        replayed_rule: {
            by_label: components["schemas"]["label_counts"];
            /** @description Checks whose action would be the other one without it; of a shadow rule, with it. */
            decisive: components["schemas"]["label_counts"];
            fires: components["schemas"]["share"];
            last_fired: string | null;
            /** @enum {unknown} */
            mode: "live" | "shadow";
            /** @description Null for a forced action. */
            points: number | null;
            /** @description Bad among the labelled checks that it fires on. */
            precision: components["schemas"]["share"];
            /** @description Null where it counts for everyone. */
            rollout: {
                /** @description Checks in which it fired and did not count. */
                outside: components["schemas"]["label_counts"];
                percent: number;
            } | null;
            s_o: number | null;
            stood_aside: number;
            /** @description Checks that no other rule with points fires on. */
            unique: components["schemas"]["label_counts"];
            /** @description Checks whose records do not have a fact that it needed. */
            unjudged: number;
        };
        /** roles */
        roles: {
            memberships: components["schemas"]["membership"][];
            operator_role: ("owner" | "analyst") | null;
        };
        /** rotated_key */
        rotated_key: {
            key: components["schemas"]["api_key"];
            previous: components["schemas"]["api_key"];
            /** @description Shown this once: it is not stored. */
            secret: string;
        };
        /** rule_change */
        rule_change: {
            /** @enum {unknown} */
            change: "added" | "removed" | "changed" | "renamed";
            concerns: string[];
            /** @description Whether a decision can be another by it. */
            decides: boolean;
            details: {
                after: unknown;
                before: unknown;
                what: string;
            }[];
            id: string;
            subject: string;
        };
        /** rule_comparison */
        rule_comparison: {
            /** @description What means something else; what decides comes first. */
            changes: components["schemas"]["rule_change"][] | null;
            /** @description The sides that lint would refuse now, for which the meaning is not told. */
            faulty: ("before" | "after")[];
            files: components["schemas"]["rule_file_change"][];
            /** @description What patch -p1 takes. */
            patch: string;
        };
        /** rule_draft */
        rule_draft: {
            author: {
                id: string;
                name: string;
            };
            backtest: {
                /** Format: date-time */
                at: string;
                base: string;
                by: string;
                candidate: string;
                checks: number;
                revision: number;
                to_allow: number;
                to_block: number;
            } | null;
            /** @description The hash of the rules in force that it was made of. */
            base: string;
            /** @description Path of a file of rules, as domain.yaml or tests/domain.yaml, to text. */
            base_files: {
                [key: string]: string;
            };
            changed_files: string[];
            /** Format: date-time */
            created_at: string;
            /** @description Path of a file of rules, as domain.yaml or tests/domain.yaml, to text. */
            files: {
                [key: string]: string;
            };
            id: string;
            /** @description Other rules have come in force since. */
            is_behind: boolean;
            name: string;
            revision: number;
            /** Format: date-time */
            saved_at: string;
            saved_by: {
                id: string;
                name: string;
            };
        };
        /** rule_draft_summary */
        rule_draft_summary: {
            author: {
                id: string;
                name: string;
            };
            backtest: {
                /** Format: date-time */
                at: string;
                base: string;
                by: string;
                candidate: string;
                checks: number;
                revision: number;
                to_allow: number;
                to_block: number;
            } | null;
            /** @description The hash of the rules in force that it was made of. */
            base: string;
            changed_files: string[];
            /** Format: date-time */
            created_at: string;
            id: string;
            /** @description Other rules have come in force since. */
            is_behind: boolean;
            name: string;
            revision: number;
            /** Format: date-time */
            saved_at: string;
            saved_by: {
                id: string;
                name: string;
            };
        };
        /** rule_fact */
        rule_fact: {
            description: string;
            /** @description Its provider is switched off: it is always unknown. */
            disabled: boolean;
            example: unknown;
            id: string;
            never_unknown: boolean;
            operators: string[];
            personal: boolean;
            provider: string;
            slot: string | null;
            /** @enum {string} */
            type: "boolean" | "integer" | "number" | "string" | "text" | "domain";
            /** @description What a string may be; empty for other types. */
            values: string[];
        };
        /** rule_figures */
        rule_figures: {
            /** @description Of these, the checks that were answered BLOCK. */
            blocked: number;
            fires: number;
            id: string;
            /** @description In all, less what other rules absorbed. */
            points: number;
            stood_aside: number;
        };
        /** rule_file_change */
        rule_file_change: {
            /** @description Lines. */
            added: number;
            /** @enum {unknown} */
            change: "added" | "deleted" | "changed";
            file: string;
            removed: number;
        };
        /** rule_flips */
        rule_flips: {
            counts: components["schemas"]["label_counts"];
            examples: {
                created_at: string | null;
                domain: string | null;
                id: string;
                label: ("good" | "bad") | null;
                ledger: {
                    base: components["schemas"]["ledger_entry"][];
                    candidate: components["schemas"]["ledger_entry"][];
                };
                /** @description Its place among the reasons. */
                reason: number;
                score: {
                    base: number;
                    candidate: number;
                };
            }[];
            reasons: {
                counts: components["schemas"]["label_counts"];
                parts: string[];
            }[];
        };
        /** rule_language */
        rule_language: {
            facts: components["schemas"]["rule_fact"][];
            /** @description JSON Schemas of the kinds of files: group, decision, signals, list, tests. */
            schemas: {
                [key: string]: Record<string, never>;
            };
        };
        /** rule_problem */
        rule_problem: {
            code: string;
            /** @description Counted in characters from 1. */
            column: number;
            end_column: number | null;
            /** @description Path of a file of rules, as domain.yaml or tests/domain.yaml. */
            file: string;
            fix: {
                /** @description Counted in characters from 1. */
                column: number;
                /** @description Counted in characters from 1. */
                end_column: number;
                line: number;
                replacement: string;
            } | null;
            hint: string | null;
            line: number;
            message: string;
            /** @enum {unknown} */
            severity: "error" | "warning";
        };
        /** rule_promotion */
        rule_promotion: {
            criteria: {
                /** @enum {unknown} */
                criterion: "s_o" | "hits" | "false_positives";
                days: {
                    judged: number;
                    needed: number;
                };
                /** @description Of the days that are judged, together. */
                latest: {
                    interval: number[];
                    value: number;
                } | null;
                limit: number;
                overall: {
                    interval: number[];
                    value: number;
                } | null;
                /** @enum {unknown} */
                standing: "holds" | "fails" | "untold";
                worst: {
                    day: string;
                    /** @description Beyond the limit, of so few checks that one alone would decide: not held against it. */
                    few: boolean;
                    interval: number[];
                    value: number;
                } | null;
            }[];
            /** @enum {unknown} */
            standing: "holds" | "fails" | "untold";
        };
        /** rule_replay */
        rule_replay: {
            cases: {
                bad: number;
                censored: number;
                good: number;
                replayed: {
                    differing: number;
                    same: number;
                };
                total: number;
                unlabelled: number;
            };
            caveats: string[];
            confusion: {
                base: {
                    ALLOW: components["schemas"]["label_counts"];
                    BLOCK: components["schemas"]["label_counts"];
                };
                candidate: {
                    ALLOW: components["schemas"]["label_counts"];
                    BLOCK: components["schemas"]["label_counts"];
                };
            };
            corpus: {
                checks: number;
                days: number;
                of: number;
                /** Format: date-time */
                since: string;
                /** Format: date-time */
                taken_at: string;
            };
            figures: {
                base: components["schemas"]["decision_figures"];
                candidate: components["schemas"]["decision_figures"];
            };
            first: string | null;
            flips: {
                to_allow: components["schemas"]["rule_flips"];
                to_block: components["schemas"]["rule_flips"];
            };
            last: string | null;
            levels: {
                base: {
                    high: number;
                    low: number;
                    medium: number;
                };
                candidate: {
                    high: number;
                    low: number;
                    medium: number;
                };
            };
            rule_sets: {
                base: string;
                candidate: string;
            };
            rules: {
                base: components["schemas"]["replayed_rule"] | null;
                candidate: components["schemas"]["replayed_rule"] | null;
                id: string;
                /** @enum {unknown} */
                kind: "points" | "force";
            }[];
            /** @description By score, 0 to 100. */
            scores: {
                base: components["schemas"]["label_counts"][];
                candidate: components["schemas"]["label_counts"][];
            };
            sweep: {
                base: components["schemas"]["threshold_sweep"];
                candidate: components["schemas"]["threshold_sweep"];
            };
            took_ms: number;
            /** @description Which rules could not be judged, in how many checks and for want of which facts. */
            unjudged: string[];
        };
        /** rule_replay_answer */
        rule_replay_answer: {
            problems: components["schemas"]["rule_problem"][];
            replay: components["schemas"]["rule_replay"] | null;
            /** @enum {unknown} */
            state: "done" | "faulty";
        };
        /** rule_tests */
        rule_tests: {
            failing: {
                /** @description Counted in characters from 1. */
                column: number;
                failures: {
                    actual: string;
                    expected: string;
                    what: string;
                }[];
                file: string;
                line: number;
                name: string;
            }[];
            passed: number;
            /** @description Errors of lint; beside them no test was run. */
            problems: components["schemas"]["rule_problem"][];
            /** @description Why these rules could not be published; empty where they could. */
            refusals: string[];
            /** @description The hash that they would have in force. */
            ruleset: string | null;
        };
        /** rule_version */
        rule_version: {
            /** Format: date-time */
            at: string;
            author: string | null;
            changes: components["schemas"]["rule_file_change"][];
            digest: string;
            in_force: boolean;
            /** @enum {unknown} */
            reason: "start" | "change" | "sighup" | "rollback" | "expiry" | "draft";
            restores: number | null;
            /** @description Null for files that were saved and could not be compiled. */
            ruleset: string | null;
            version: number;
            /** @description What the person gave as the reason, at the dashboard. */
            why: string | null;
        };
        /** rule_version_opened */
        rule_version_opened: {
            /** Format: date-time */
            at: string;
            author: string | null;
            changes: components["schemas"]["rule_file_change"][];
            digest: string;
            /** @description Path of a file of rules, as domain.yaml or tests/domain.yaml, to text. */
            files: {
                [key: string]: string;
            };
            in_force: boolean;
            /** @enum {unknown} */
            reason: "start" | "change" | "sighup" | "rollback" | "expiry" | "draft";
            restores: number | null;
            /** @description Null for files that were saved and could not be compiled. */
            ruleset: string | null;
            version: number;
        };
        /** rules */
        rules: {
            /** @description What the service last reported about what is published, where it is not fixed yet. */
            complaint: {
                /** Format: date-time */
                at: string;
                faults: string[];
                /** @enum {unknown} */
                kind: "refused" | "failing";
            } | null;
            directory: {
                changes: components["schemas"]["rule_file_change"][];
                /** @description Why it cannot be read. */
                faults: string[];
                is_writable: boolean;
                /** @description Where rules are published: a path, or "the database". */
                path: string;
                /**
                 * @description What is published, against what is in force.
                 * @enum {unknown}
                 */
                state: "same" | "differs" | "unreadable";
            };
            drafts: components["schemas"]["rule_draft_summary"][];
            in_force: {
                author: string | null;
                /** @description Of the texts of the files. */
                digest: string;
                /** @description Path of a file of rules, as domain.yaml or tests/domain.yaml, to text. */
                files: {
                    [key: string]: string;
                };
                ruleset: string;
                since: string | null;
                version: number | null;
            };
        };
        /** rules_published */
        rules_published: {
            faults: string[];
            patch: string | null;
            reason: string | null;
            ruleset: string | null;
            /**
             * @description patch: Postern may not write the directory; apply the patch yourself.
             * @enum {unknown}
             */
            state: "in_force" | "refused" | "patch";
            version: number | null;
        };
        /** score_figures */
        score_figures: {
            allowed: number;
            blocked: number;
            score: number;
        };
        /** session */
        session: {
            /** @description Those that the person may look into: every account, for operators. */
            accounts: {
                id: string;
                name: string;
                /** @enum {string} */
                role: "developer" | "viewer" | "operator";
            }[];
            /** @description Whether what is shown is made up. */
            demo: boolean;
            operator_role: ("owner" | "analyst") | null;
            /** @description Whether the service made its own certificate, whose authority clients do not trust yet. */
            own_authority: boolean;
            person: {
                email: string;
                id: string;
                name: string;
            };
            /** @description Of Postern. */
            version: string;
        };
        /** shadow_report */
        shadow_report: {
            caveats: string[];
            challenger: components["schemas"]["challenger_report"] | null;
            checks: number;
            other_challengers: {
                checks: number;
                first: string | null;
                last: string | null;
                ruleset: string;
            }[];
            /** @description What each of the rules makes of the newest 100,000 checks of these days, tried in them or not. */
            replayed: components["schemas"]["shadow_rule_report"][];
            rules: components["schemas"]["shadow_rule_report"][];
            ruleset: string;
        };
        /** shadow_rule_report */
        shadow_rule_report: {
            by_label: components["schemas"]["label_counts"];
            checks: {
                bad: number;
                censored: number;
                good: number;
                total: number;
                unlabelled: number;
            };
            /** @description Days on which it was tried, from the first; a hit of a challenger is a BLOCK. */
            days: {
                checks: number;
                day: string;
                hits: number;
            }[];
            fires: components["schemas"]["share"];
            first: string | null;
            flips: {
                to_allow: {
                    counts: components["schemas"]["label_counts"];
                    examples: {
                        /** Format: date-time */
                        created_at: string;
                        domain: string | null;
                        from: {
                            action: string;
                            risk_level: string;
                            risk_score: number;
                        };
                        id: string;
                        label: ("good" | "bad") | null;
                        to: {
                            action: string;
                            risk_level: string;
                            risk_score: number;
                        };
                    }[];
                };
                to_block: {
                    counts: components["schemas"]["label_counts"];
                    examples: {
                        /** Format: date-time */
                        created_at: string;
                        domain: string | null;
                        from: {
                            action: string;
                            risk_level: string;
                            risk_score: number;
                        };
                        id: string;
                        label: ("good" | "bad") | null;
                        to: {
                            action: string;
                            risk_level: string;
                            risk_score: number;
                        };
                    }[];
                };
                untold: number;
            };
            group: string;
            id: string;
            /** @description Worth negative points: good and bad change places. */
            is_mirrored: boolean;
            last: string | null;
            points: number;
            precision: components["schemas"]["share"];
            promotion: components["schemas"]["rule_promotion"];
            /** @description Of a live rule that counts for a part of people: all figures are of the others. Null of a shadow rule. */
            rollout: {
                percent: number;
            } | null;
            s_o: number | null;
        };
        /** share */
        share: {
            count: number;
            high: number;
            /** @description Wilson's interval at 95 %. */
            low: number;
            of: number;
            /** @description Null where there is nothing to take a share of. */
            share: number | null;
        };
        /** side_of_rollout */
        side_of_rollout: {
            /** @description Whether the person is one of them; null where that is not known. */
            inside: boolean | null;
            /** @description Of people, for whom the rule counts. */
            percent: number;
            rule: string;
            /** @description The same in words. */
            told: string;
        };
        /** threshold_sweep */
        threshold_sweep: {
            /** @description Area under the ROC curve; null without labels of both kinds. */
            auc: number | null;
            cheapest: number | null;
            cost_ratio: number;
            /** @description For thresholds 0 to 101; 101 blocks nothing. */
            points: {
                blocked: components["schemas"]["label_counts"];
                cost: number | null;
                threshold: number;
            }[];
            /** @description The score from which it blocks; null where its action is no threshold on the score. */
            threshold: number | null;
        };
        /** trial_event */
        trial_event: {
            canonical: string;
            deadline_ms: number;
            email: string;
            /** @constant */
            event: "begun";
            providers: {
                description: string;
                id: string;
                /** @enum {string} */
                stage: "local" | "network";
            }[];
        } | {
            /** @description When it was there, since the trial began. */
            at_us: number;
            /** @constant */
            event: "answer";
            evidence: Record<string, never> | null;
            facts: components["schemas"]["facts"];
            /** @description `known`, or the first reason why something is not. */
            outcome: string;
            provider: string;
            /** @description 0 where the answer was kept from an earlier check. */
            took_us: number;
            unknown: {
                [key: string]: string;
            };
        } | {
            at_us: number;
            decision: components["schemas"]["decision"];
            /** @constant */
            event: "so_far";
        } | {
            at_us: number;
            decision: components["schemas"]["decision"];
            degraded: string[];
            /** @constant */
            event: "decided";
            facts: components["schemas"]["facts"];
            /** @description What `POST /v1/` would have answered. */
            response: Record<string, never>;
            unknown: {
                [key: string]: string;
            };
        };
        /** usage */
        usage: {
            /** @description Of the checks of this time, the share that these figures are of. Below 1 where hours are still being counted, the newest first: ask again, and more of them are. */
            counted_share: number;
            days: components["schemas"]["usage_day"][];
            keys: components["schemas"]["key_usage"][];
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
        };
        /** usage_day */
        usage_day: {
            account_id: string;
            /**
             * Format: date
             * @description UTC.
             */
            day: string;
            /** @description By key: its checks. */
            keys: {
                [key: string]: number;
            };
            /** @description Checks of live keys: these use the quota. */
            live: number;
            test: number;
        };
        /** whole_check */
        whole_check: {
            account_id: string;
            /** @enum {string} */
            action: "ALLOW" | "BLOCK";
            /** @description Only where `privacy.store_addresses` is `plain`. */
            address: string | null;
            challenger: {
                /** @enum {string} */
                action: "ALLOW" | "BLOCK";
                /** @enum {string} */
                risk_level: "low" | "medium" | "high";
                risk_score: number;
                ruleset: string;
            } | null;
            /** Format: date-time */
            created_at: string;
            domain: string | null;
            duration_us: number | null;
            /** @enum {string} */
            environment: "live" | "test";
            id: string;
            key: {
                name: string | null;
                prefix: string;
            } | null;
            key_id: string;
            /** @description The first holds: the check’s own, else its person’s. */
            labels: components["schemas"]["given_label"][];
            ledger: components["schemas"]["ledger_entry"][];
            person: string | null;
            /** @enum {string} */
            risk_level: "low" | "medium" | "high";
            risk_score: number;
            /** @description Of the rules in the ledger that are rolled out, on which side it was; empty where other rules decided. */
            rollouts: components["schemas"]["side_of_rollout"][];
            ruleset: string;
            /** @description Null where no version with this hash is on record. */
            ruleset_version: number | null;
            signals: components["schemas"]["check_signal"][];
        };
    };
    responses: {
        /** @description `bad_request`: The request is not valid HTTP. */
        bad_request: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "bad_request";
                    };
                };
            };
        };
        /**
         * @description `bad_request`: The request is not valid HTTP.
         *
         *     `invalid_request`: The query or the body is not as described; "details" says where.
         */
        bad_request_or_invalid_request: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "bad_request" | "invalid_request";
                    };
                };
            };
        };
        /**
         * @description `bad_request`: The request is not valid HTTP.
         *
         *     `invalid_request`: The query or the body is not as described; "details" says where.
         *
         *     `invalid_json`: The body must be a JSON object in UTF-8.
         */
        bad_request_or_invalid_request_or_invalid_json: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "bad_request" | "invalid_request" | "invalid_json";
                    };
                };
            };
        };
        /** @description `body_too_large`: The body is larger than this server takes. */
        body_too_large: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "body_too_large";
                    };
                };
            };
        };
        /** @description `challenger_changed`: The challenger is another by now than the one you looked at. Look at the shadow board again. */
        challenger_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "challenger_changed";
                    };
                };
            };
        };
        /** @description `draft_changed`: This draft was saved by another person in the meantime; "details" says who and when. */
        draft_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "draft_changed";
                    };
                };
            };
        };
        /**
         * @description `draft_changed`: This draft was saved by another person in the meantime; "details" says who and when.
         *
         *     `backtest_required`: Only what was backtested is published: this very revision of the draft, against the rules in force now.
         *
         *     `rules_changed`: Other rules are published than this change was made of; "details" has the difference.
         */
        draft_changed_or_backtest_required_or_rules_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "draft_changed" | "backtest_required" | "rules_changed";
                    };
                };
            };
        };
        /**
         * @description `draft_changed`: This draft was saved by another person in the meantime; "details" says who and when.
         *
         *     `name_taken`: There is one with this name already.
         *
         *     `rules_changed`: Other rules are published than this change was made of; "details" has the difference.
         */
        draft_changed_or_name_taken_or_rules_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "draft_changed" | "name_taken" | "rules_changed";
                    };
                };
            };
        };
        /** @description `email_taken`: There is a person with this email already. */
        email_taken: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "email_taken";
                    };
                };
            };
        };
        /** @description `headers_too_large`: The request headers are too large. */
        headers_too_large: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "headers_too_large";
                    };
                };
            };
        };
        /** @description `https_required`: Use HTTPS. A key sent over plain HTTP can be read on the way: replace it. */
        https_required: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "https_required";
                    };
                };
            };
        };
        /**
         * @description `https_required`: Use HTTPS. A key sent over plain HTTP can be read on the way: replace it.
         *
         *     `forbidden`: Your role does not allow this.
         */
        https_required_or_forbidden: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "https_required" | "forbidden";
                    };
                };
            };
        };
        /**
         * @description `https_required`: Use HTTPS. A key sent over plain HTTP can be read on the way: replace it.
         *
         *     `forbidden`: Your role does not allow this.
         *
         *     `foreign_origin`: Only the dashboard itself may send this: "Origin" or "Sec-Fetch-Site" must say so.
         */
        https_required_or_forbidden_or_foreign_origin: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "https_required" | "forbidden" | "foreign_origin";
                    };
                };
            };
        };
        /**
         * @description `https_required`: Use HTTPS. A key sent over plain HTTP can be read on the way: replace it.
         *
         *     `foreign_origin`: Only the dashboard itself may send this: "Origin" or "Sec-Fetch-Site" must say so.
         */
        https_required_or_foreign_origin: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "https_required" | "foreign_origin";
                    };
                };
            };
        };
        /** @description `internal_error`: Postern failed. This says nothing about the address; do not treat it as BLOCK. */
        internal_error: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "internal_error";
                    };
                };
            };
        };
        /** @description `invalid_link`: The link was used or revoked, or its time is over: ask for a new one. */
        invalid_link: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "invalid_link";
                    };
                };
            };
        };
        /** @description `label_changed`: The label of this check was changed in the meantime. Look at it again, then make your change. */
        label_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "label_changed";
                    };
                };
            };
        };
        /** @description `last_owner`: There must be an owner: make another one first. */
        last_owner: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "last_owner";
                    };
                };
            };
        };
        /**
         * @description `last_owner`: There must be an owner: make another one first.
         *
         *     `roles_changed`: The roles of this person were changed in the meantime. Look at them again, then make your change.
         */
        last_owner_or_roles_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "last_owner" | "roles_changed";
                    };
                };
            };
        };
        /** @description `list_changed`: This list was changed in the meantime. Look at it again, then make your change. */
        list_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "list_changed";
                    };
                };
            };
        };
        /**
         * @description `list_changed`: This list was changed in the meantime. Look at it again, then make your change.
         *
         *     `rules_changed`: Other rules are published than this change was made of; "details" has the difference.
         */
        list_changed_or_rules_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "list_changed" | "rules_changed";
                    };
                };
            };
        };
        /** @description `method_not_allowed`: This path does not take that method. */
        method_not_allowed: {
            headers: {
                Allow: components["headers"]["Allow"];
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "method_not_allowed";
                    };
                };
            };
        };
        /** @description `name_taken`: There is one with this name already. */
        name_taken: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "name_taken";
                    };
                };
            };
        };
        /**
         * @description `name_taken`: There is one with this name already.
         *
         *     `rules_changed`: Other rules are published than this change was made of; "details" has the difference.
         */
        name_taken_or_rules_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "name_taken" | "rules_changed";
                    };
                };
            };
        };
        /** @description `not_found`: There is nothing here. Checks go to POST /v1/. */
        not_found: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "not_found";
                    };
                };
            };
        };
        /** @description `not_rotatable`: The key was revoked, or rotated before: rotate the one that took its place, or make a new one. */
        not_rotatable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "not_rotatable";
                    };
                };
            };
        };
        /** @description `not_signed_in`: Sign in first. API keys open nothing here. */
        not_signed_in: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "not_signed_in";
                    };
                };
            };
        };
        /**
         * @description `not_signed_in`: Sign in first. API keys open nothing here.
         *
         *     `wrong_credentials`: The email or the password is wrong.
         */
        not_signed_in_or_wrong_credentials: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "not_signed_in" | "wrong_credentials";
                    };
                };
            };
        };
        /** @description `rate_limited`: Too many requests. Wait as "Retry-After" says, then back off exponentially. */
        rate_limited: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "rate_limited";
                    };
                };
            };
        };
        /** @description `request_timeout`: The request did not arrive in time. */
        request_timeout: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "request_timeout";
                    };
                };
            };
        };
        /** @description `rules_changed`: Other rules are published than this change was made of; "details" has the difference. */
        rules_changed: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "rules_changed";
                    };
                };
            };
        };
        /** @description `rules_refused`: Lint or the tests refuse these rules; "details" says why. */
        rules_refused: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "rules_refused";
                    };
                };
            };
        };
        /** @description `rules_too_large`: To lint these rules takes too long. Make them smaller: fewer rules and comparisons, shorter lists. "postern rules lint" takes the time it needs. */
        rules_too_large: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "rules_too_large";
                    };
                };
            };
        };
        /** @description `unavailable`: Postern cannot use its database right now. Retry as "Retry-After" says. */
        unavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unavailable";
                    };
                };
            };
        };
        /**
         * @description `unavailable`: Postern cannot use its database right now. Retry as "Retry-After" says.
         *
         *     `busy`: Postern is at work for others, or this took too long. Try again as "Retry-After" says; if it stays, ask for less, such as a shorter time.
         */
        unavailable_or_busy: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unavailable" | "busy";
                    };
                };
            };
        };
        /**
         * @description `unavailable`: Postern cannot use its database right now. Retry as "Retry-After" says.
         *
         *     `rules_not_written`: The rules could not be published; "details" says what is published now.
         *
         *     `busy`: Postern is at work for others, or this took too long. Try again as "Retry-After" says; if it stays, ask for less, such as a shorter time.
         */
        unavailable_or_rules_not_written_or_busy: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unavailable" | "rules_not_written" | "busy";
                    };
                };
            };
        };
        /** @description `unparseable_email`: The value of "email" cannot be read as one email address. */
        unparseable_email: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unparseable_email";
                    };
                };
            };
        };
        /** @description `unsupported_media_type`: Send "Content-Type: application/json" (UTF-8) without a Content-Encoding. */
        unsupported_media_type: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unsupported_media_type";
                    };
                };
            };
        };
        /** @description `weak_password`: The password is too easy to guess; "details" says why. */
        weak_password: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "weak_password";
                    };
                };
            };
        };
        /** @description `wrong_credentials`: The email or the password is wrong. */
        wrong_credentials: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["error_envelope"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "wrong_credentials";
                    };
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The methods that this path takes. */
        Allow: string;
        /** @description Yours, or a new one; it stands in the log. */
        "Request-Id": string;
        /** @description Whole seconds to wait. */
        "Retry-After": string;
        /** @description No scheme that a browser knows: people sign in on a page. */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_accounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By creation. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accounts: components["schemas"]["account"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    create_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description It has no keys and no members yet. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["account"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["name_taken"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    find_checks: {
        parameters: {
            query?: {
                action?: "ALLOW" | "BLOCK";
                /** @description The `next` of the page before. */
                after?: string;
                /** @description `<created_at>.<id>` of a check: the checks that are newer are found, the oldest of them first, and `next` is the next `before`. */
                before?: string;
                /** @description `example.org`; `.example.org` for all below it. */
                domain?: string;
                environment?: "live" | "test";
                /** @description For analysts: a draft or a version of the rules that would answer the check otherwise than the rules in force; of the newest 100,000 live checks since `since`, and of 30 days where it is not named. */
                flips?: string;
                id?: string;
                key_id?: string;
                label?: "good" | "bad" | "none";
                level?: "low" | "medium" | "high";
                limit?: number;
                max_score?: number;
                min_score?: number;
                /** @description The hash that records hold of an address. */
                person?: string;
                /** @description One that fired, for points, by force or in the shadow. */
                rule?: string;
                ruleset?: string;
                /** @description The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`. */
                since?: string;
                /** @description The first instant that is not in it any more. */
                until?: string;
            };
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, the newest first. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["found_checks"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    export_checks: {
        parameters: {
            query?: {
                action?: "ALLOW" | "BLOCK";
                /** @description `example.org`; `.example.org` for all below it. */
                domain?: string;
                environment?: "live" | "test";
                /** @description For analysts: a draft or a version of the rules that would answer the check otherwise than the rules in force; of the newest 100,000 live checks since `since`, and of 30 days where it is not named. */
                flips?: string;
                id?: string;
                key_id?: string;
                label?: "good" | "bad" | "none";
                level?: "low" | "medium" | "high";
                max_score?: number;
                min_score?: number;
                /** @description The hash that records hold of an address. */
                person?: string;
                /** @description One that fired, for points, by force or in the shadow. */
                rule?: string;
                ruleset?: string;
                /** @description The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`. */
                since?: string;
                /** @description The first instant that is not in it any more. */
                until?: string;
            };
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest first, 100,000 at most. Where reading fails the connection ends before the body does: the file is not complete. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    show_check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
                check_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All that is kept of it. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["whole_check"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    explain_check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
                check_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description From the facts that were recorded. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["check_explanation"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    label_check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
                check_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    label: "good" | "bad" | "none";
                    /**
                     * @description The label that was shown: the request is refused where the check has another of its own by now. Without it nothing is compared.
                     * @enum {string}
                     */
                    was?: "good" | "bad" | "none";
                };
            };
        };
        responses: {
            /** @description Stored. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["label_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    show_first_steps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Each step by itself. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["first_steps"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    list_keys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By creation; no secret is among them. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["api_key"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    issue_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    environment: "live" | "test";
                    /** @description To tell it from other keys. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Its secret is shown this once. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["issued_key"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["api_key"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    rotate_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For so long the old secret still works. */
                    grace_seconds: number;
                };
            };
        };
        responses: {
            /** @description The new secret is shown this once. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rotated_key"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["not_rotatable"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    label_checks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    checks: string[];
                    /** @enum {string} */
                    label: "good" | "bad" | "none";
                    /** @description By check, the label that was shown: a check that has another of its own by now keeps it. Where a check is not named, nothing is compared. */
                    was?: {
                        [key: string]: "good" | "bad" | "none";
                    };
                };
            };
        };
        responses: {
            /** @description How many were changed; how many keep another label than was shown, or one that was given later; and how many there were not, or had no label that could be taken off. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        absent: number;
                        changed: number;
                        left: number;
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    show_limits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["limits"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    show_overview: {
        parameters: {
            query?: {
                /** @description The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`. A day ago, where it is not named. */
                since?: string;
                /** @description The first instant that is not in it any more. Up to now, where it is not named. */
                until?: string;
            };
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["overview"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    show_usage: {
        parameters: {
            query?: {
                /** @description The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`. A day ago, where it is not named. */
                since?: string;
                /** @description The first instant that is not in it any more. Up to now, where it is not named. */
                until?: string;
            };
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By day and by key. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["usage"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    list_attention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description None, where all is well. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        findings: components["schemas"]["attention_finding"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    list_audit_trail: {
        parameters: {
            query?: {
                account_id?: string;
                action?: "person.signed_in" | "person.sign_in_failed" | "person.signed_out" | "person.password_changed" | "person.password_reset" | "person.joined" | "person.roles_changed" | "person.removed" | "link.made" | "link.revoked" | "account.created" | "key.issued" | "key.rotated" | "key.revoked" | "check.labelled" | "check.label_removed" | "check.erased" | "rules.draft_saved" | "rules.draft_discarded" | "rules.published" | "rules.rolled_back" | "list.made" | "list.entry_added" | "list.entry_changed" | "list.entry_removed" | "list.updated" | "list.rolled_back";
                /** @description Only what is older than the entry of this id: `next` of the page before. */
                before?: string;
                limit?: number;
                person_id?: string;
                /** @description Done then or later: `2026-11-20` or `2026-11-20T08:00:00Z`. */
                since?: string;
                /** @description The id of what it was done to. */
                subject?: string;
                /** @description Done before then. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest first. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["audit_entry"][];
                        /** @description For `before`; null where there is no more. */
                        next: string | null;
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    download_certificate_authority: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A certificate in PEM. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-pem-file": string;
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    find_all_checks: {
        parameters: {
            query?: {
                action?: "ALLOW" | "BLOCK";
                /** @description The `next` of the page before. */
                after?: string;
                /** @description `<created_at>.<id>` of a check: the checks that are newer are found, the oldest of them first, and `next` is the next `before`. */
                before?: string;
                /** @description `example.org`; `.example.org` for all below it. */
                domain?: string;
                environment?: "live" | "test";
                /** @description For analysts: a draft or a version of the rules that would answer the check otherwise than the rules in force; of the newest 100,000 live checks since `since`, and of 30 days where it is not named. */
                flips?: string;
                id?: string;
                key_id?: string;
                label?: "good" | "bad" | "none";
                level?: "low" | "medium" | "high";
                limit?: number;
                max_score?: number;
                min_score?: number;
                /** @description The hash that records hold of an address. */
                person?: string;
                /** @description One that fired, for points, by force or in the shadow. */
                rule?: string;
                ruleset?: string;
                /** @description The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`. */
                since?: string;
                /** @description The first instant that is not in it any more. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, the newest first. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["found_checks"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    export_all_checks: {
        parameters: {
            query?: {
                action?: "ALLOW" | "BLOCK";
                /** @description `example.org`; `.example.org` for all below it. */
                domain?: string;
                environment?: "live" | "test";
                /** @description For analysts: a draft or a version of the rules that would answer the check otherwise than the rules in force; of the newest 100,000 live checks since `since`, and of 30 days where it is not named. */
                flips?: string;
                id?: string;
                key_id?: string;
                label?: "good" | "bad" | "none";
                level?: "low" | "medium" | "high";
                max_score?: number;
                min_score?: number;
                /** @description The hash that records hold of an address. */
                person?: string;
                /** @description One that fired, for points, by force or in the shadow. */
                rule?: string;
                ruleset?: string;
                /** @description The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`. */
                since?: string;
                /** @description The first instant that is not in it any more. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest first, 100,000 at most. Where reading fails the connection ends before the body does: the file is not complete. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    show_any_check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                check_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All that is kept of it. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["whole_check"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    name_person: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description In the canonical form. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        canonical: string;
                        /** @description The hash that records hold of an address. */
                        person: string;
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["unparseable_email"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    invite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An email address: name@firm.example */
                    email: string;
                    membership: components["schemas"]["membership"] | null;
                    operator_role: ("owner" | "analyst") | null;
                };
            };
        };
        responses: {
            /** @description Hand it over yourself: Postern sends no mail. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["made_link"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["email_taken"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    list_links: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest first; the links themselves are not shown again. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        links: components["schemas"]["open_link"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    revoke_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link no longer works. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    list_lists: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of each. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["data_list"][];
                        downloads: components["schemas"]["downloaded_list"][];
                        /** @description Lists of domains in lists/ of the rules, which these look into by in_list. */
                        named: components["schemas"]["named_list"][];
                        own: components["schemas"]["own_list"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["rules_changed"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    change_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                list: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    change: {
                        entry: {
                            /** @description 2027-06-30: holds to the end of that day, UTC. */
                            expires?: string;
                            owner: string;
                            reason: string;
                            /** @description user@x.org, x.org, or .x.org for the domain and its subdomains. */
                            value: string;
                        };
                        /** @constant */
                        kind: "add";
                    } | {
                        entry: {
                            /** @description 2027-06-30: holds to the end of that day, UTC. */
                            expires?: string;
                            owner: string;
                            reason: string;
                            /** @description user@x.org, x.org, or .x.org for the domain and its subdomains. */
                            value: string;
                        };
                        /** @constant */
                        kind: "replace";
                        value: string;
                    } | {
                        /** @constant */
                        kind: "remove";
                        value: string;
                    };
                    version: string;
                };
            };
        };
        responses: {
            /** @description Whether it is in force. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rules_published"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["list_changed_or_rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_rules_not_written_or_busy"];
        };
    };
    show_effect_of_list_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                list: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    change: {
                        entry: {
                            /** @description 2027-06-30: holds to the end of that day, UTC. */
                            expires?: string;
                            owner: string;
                            reason: string;
                            /** @description user@x.org, x.org, or .x.org for the domain and its subdomains. */
                            value: string;
                        };
                        /** @constant */
                        kind: "add";
                    } | {
                        entry: {
                            /** @description 2027-06-30: holds to the end of that day, UTC. */
                            expires?: string;
                            owner: string;
                            reason: string;
                            /** @description user@x.org, x.org, or .x.org for the domain and its subdomains. */
                            value: string;
                        };
                        /** @constant */
                        kind: "replace";
                        value: string;
                    } | {
                        /** @constant */
                        kind: "remove";
                        value: string;
                    };
                    version: string;
                };
            };
        };
        responses: {
            /** @description Of the last 30 days. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["list_effect"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["list_changed_or_rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    show_effect_of_download: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                list: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description As if what is refused were accepted.
                     * @default false
                     */
                    accept: boolean;
                    /** @enum {unknown} */
                    change: "update" | "rollback";
                };
            };
        };
        responses: {
            /** @description What it would come to, and the effect where another snapshot would come in force. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        added: number;
                        /** @description What the update or the rollback takes as `expected`: names what was downloaded, or both snapshots; null where nothing would be taken. */
                        download: string | null;
                        effect: components["schemas"]["list_effect"] | null;
                        entries: number;
                        reason: string | null;
                        removed: number;
                        /** @enum {unknown} */
                        result: "taken" | "unchanged" | "refused" | "failed";
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    roll_list_back: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                list: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The `download` of the effect that was looked at: where other snapshots are there by now, nothing is done. */
                    expected?: string;
                };
            };
        };
        responses: {
            /** @description What is in force now, or why nothing was changed. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: number | null;
                        is_done: boolean;
                        reason: string | null;
                        taken_at: string | null;
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["list_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    update_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                list: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Accepts a list that was refused for how much it changed or for what it names: you have checked it.
                     * @default false
                     */
                    accept: boolean;
                    /** @description The `download` whose effect was looked at: where the source holds another by now, nothing is done. */
                    expected?: string;
                };
            };
        };
        responses: {
            /** @description What it came to. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        added: number;
                        entries: number;
                        reason: string | null;
                        removed: number;
                        /** @enum {unknown} */
                        result: "taken" | "unchanged" | "refused" | "failed";
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["list_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    make_named_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    list: components["schemas"]["new_named_list"];
                };
            };
        };
        responses: {
            /** @description Whether it is in force. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rules_published"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_rules_not_written_or_busy"];
        };
    };
    show_effect_of_new_named_list: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    list: components["schemas"]["new_named_list"];
                };
            };
        };
        responses: {
            /** @description Of the last 30 days. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["list_effect"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    change_named_list: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                list: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    change: {
                        entry: {
                            /** @description 2027-06-30: holds to the end of that day, UTC. */
                            expires?: string;
                            owner?: string;
                            /** @description In a .txt list a comment on the line. */
                            reason?: string;
                            /** @description x.org, or .x.org for the domain and its subdomains. */
                            value: string;
                        };
                        /** @constant */
                        kind: "add";
                    } | {
                        entry: {
                            /** @description 2027-06-30: holds to the end of that day, UTC. */
                            expires?: string;
                            owner?: string;
                            /** @description In a .txt list a comment on the line. */
                            reason?: string;
                            /** @description x.org, or .x.org for the domain and its subdomains. */
                            value: string;
                        };
                        /** @constant */
                        kind: "replace";
                        value: string;
                    } | {
                        /** @constant */
                        kind: "remove";
                        value: string;
                    };
                    version: string;
                };
            };
        };
        responses: {
            /** @description Whether it is in force. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rules_published"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["list_changed_or_rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_rules_not_written_or_busy"];
        };
    };
    show_effect_of_named_list_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                list: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    change: {
                        entry: {
                            /** @description 2027-06-30: holds to the end of that day, UTC. */
                            expires?: string;
                            owner?: string;
                            /** @description In a .txt list a comment on the line. */
                            reason?: string;
                            /** @description x.org, or .x.org for the domain and its subdomains. */
                            value: string;
                        };
                        /** @constant */
                        kind: "add";
                    } | {
                        entry: {
                            /** @description 2027-06-30: holds to the end of that day, UTC. */
                            expires?: string;
                            owner?: string;
                            /** @description In a .txt list a comment on the line. */
                            reason?: string;
                            /** @description x.org, or .x.org for the domain and its subdomains. */
                            value: string;
                        };
                        /** @constant */
                        kind: "replace";
                        value: string;
                    } | {
                        /** @constant */
                        kind: "remove";
                        value: string;
                    };
                    version: string;
                };
            };
        };
        responses: {
            /** @description Of the last 30 days. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["list_effect"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["list_changed_or_rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    show_named_list: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description In a value, a reason or an owner; of a domain also the entries that it is in the list by. */
                search?: string;
            };
            header?: never;
            path: {
                list: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description As they stand in the file, from `offset` on. */
                        entries: components["schemas"]["named_entry"][];
                        /** @description How many the search finds. */
                        found: number;
                        list: components["schemas"]["named_list"];
                        total: number;
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["rules_changed"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    show_whole_overview: {
        parameters: {
            query?: {
                /** @description The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`. A day ago, where it is not named. */
                since?: string;
                /** @description The first instant that is not in it any more. Up to now, where it is not named. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figures. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["overview"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    list_people: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By joining. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        people: components["schemas"]["person"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    remove_person: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person is removed; the audit trail keeps what they did. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["last_owner"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    make_password_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Hand it over yourself: Postern sends no mail. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["made_link"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    set_roles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    memberships: components["schemas"]["membership"][];
                    operator_role: ("owner" | "analyst") | null;
                    /** @description The roles that the change was made of: it is refused where the person has others by now. Without it nothing is compared. */
                    was?: components["schemas"]["roles"];
                };
            };
        };
        responses: {
            /** @description The person as it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["person"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["last_owner_or_roles_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    list_providers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As they are in force now; secrets are hidden. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deadline_ms: number;
                        /** @description The servers that look-ups go to. */
                        dns_servers: components["schemas"]["dns_server"][];
                        providers: components["schemas"]["provider"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    get_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rules"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    draft_challenger: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The hash of the challenger that was looked at. */
                    ruleset: string;
                };
            };
        };
        responses: {
            /** @description The draft. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_draft"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["challenger_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    compare_rules: {
        parameters: {
            query: {
                /** @description `in_force`, the id of a draft, or a version by its number or hash. */
                after: string;
                /** @description `in_force`, the id of a draft, or a version by its number or hash. */
                before: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description None in `files` when they are the same. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_comparison"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    create_rule_draft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the rules in force that the changes were made of, as `get_rules` told it; others may be in force by now. */
                    base_digest?: string;
                    /** @description Path to text; null for a file that goes. Those left out stay. */
                    files?: {
                        [key: string]: string | null;
                    };
                    name?: string;
                };
            };
        };
        responses: {
            /** @description The draft. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_draft"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["name_taken_or_rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    get_rule_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it was saved last. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_draft"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    discard_rule_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    save_rule_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of rules that were in force and are merged into the files now: `digest` of `merge_rules`. The draft is one of these from then on. */
                    base_digest?: string;
                    /** @description Path to text; null for a file that goes. Those left out stay. */
                    files?: {
                        [key: string]: string | null;
                    };
                    name?: string;
                    /** @description The revision that was edited; 409 when a newer one has been saved since. */
                    revision: number;
                };
            };
        };
        responses: {
            /** @description The next revision of it. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_draft"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["draft_changed_or_name_taken_or_rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    backtest_rule_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How many bad signups let in cost as much as one good one turned away.
                     * @default 1
                     */
                    cost_ratio: number;
                    /**
                     * @description Of records, back from now.
                     * @default 30
                     */
                    days: number;
                    /** @description The revision that was edited; 409 when a newer one has been saved since. */
                    revision: number;
                };
            };
        };
        responses: {
            /** @description The figures, or the errors of the draft. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_replay_answer"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["draft_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    publish_rule_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The revision that was edited; 409 when a newer one has been saved since. */
                    revision: number;
                    /** @description Why, for the history and the audit trail. */
                    why?: string;
                };
            };
        };
        responses: {
            /** @description Whether it is in force. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rules_published"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["draft_changed_or_backtest_required_or_rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_rules_not_written_or_busy"];
        };
    };
    get_rule_language: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Of the providers that are enabled. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_language"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    lint_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the rules, now or before in force, that `files` change. */
                    base_digest?: string;
                    /** @description Path to text; null for a file that goes. Those left out stay. Without `base_digest`, all files. */
                    files: {
                        [key: string]: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Every problem, by place. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        problems: components["schemas"]["rule_problem"][];
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["rules_too_large"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    merge_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the changes were made of. */
                    base: {
                        [key: string]: string;
                    };
                    /** @description What became of it. */
                    mine: {
                        [key: string]: string;
                    };
                    /** @description `in_force` or the id of a draft. */
                    theirs: string;
                };
            };
        };
        responses: {
            /** @description Both texts between marks, as git writes them, where both changed the same lines. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        conflicts: {
                            file: string;
                            /** @description Of `mine`. */
                            line: number;
                        }[];
                        /** @description Of the rules in force that are in it now; null for a draft. */
                        digest: string | null;
                        /** @description Path of a file of rules, as domain.yaml or tests/domain.yaml, to text. */
                        files: {
                            [key: string]: string;
                        };
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    replay_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the rules, now or before in force, that `files` change. */
                    base_digest?: string;
                    /**
                     * @description How many bad signups let in cost as much as one good one turned away.
                     * @default 1
                     */
                    cost_ratio: number;
                    /**
                     * @description Of records, back from now.
                     * @default 30
                     */
                    days: number;
                    /** @description Path to text; null for a file that goes. Those left out stay. Without `base_digest`, all files. */
                    files: {
                        [key: string]: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The figures, or the errors of the files. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_replay_answer"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    export_rule_flips: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Of records, back from now.
                     * @default 30
                     */
                    days: number;
                    /** @description Path of a file of rules, as domain.yaml or tests/domain.yaml, to text. */
                    files: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description A row each. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv; charset=utf-8": string;
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    get_shadow_report: {
        parameters: {
            query?: {
                /** @description Of records, back from now. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As `postern rules shadow` tells it. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["shadow_report"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    test_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Path of a file of rules, as domain.yaml or tests/domain.yaml, to text. */
                    files: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Which fail, and why the rules would not be published. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_tests"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
    list_rule_versions: {
        parameters: {
            query?: {
                /** @description Older than this version. */
                before?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With what each changed. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        total: number;
                        versions: components["schemas"]["rule_version"][];
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    get_rule_version: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By its number, its hash, or the beginning of it. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rule_version_opened"];
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    roll_rules_back: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                version: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Leaves allow.yaml and deny.yaml as they are.
                     * @default false
                     */
                    keep_lists: boolean;
                    /** @description Why, for the history and the audit trail. */
                    why?: string;
                };
            };
        };
        responses: {
            /** @description Whether it is in force. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["rules_published"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden_or_foreign_origin"];
            404: components["responses"]["not_found"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["rules_changed"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["rules_refused"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_rules_not_written_or_busy"];
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person, or null. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["any_session"];
                };
            };
            400: components["responses"]["bad_request"];
            403: components["responses"]["https_required"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description The cookie is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["session"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["wrong_credentials"];
            403: components["responses"]["https_required_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is deleted, and the cookie with it. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current_password: string;
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description It holds from now on. */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in_or_wrong_credentials"];
            403: components["responses"]["https_required_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["weak_password"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    redeem_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An email address: name@firm.example */
                    email?: string;
                    name?: string;
                    password: string;
                    token: string;
                };
            };
        };
        responses: {
            /** @description The cookie is set. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["session"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            403: components["responses"]["https_required_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["email_taken"];
            410: components["responses"]["invalid_link"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["weak_password"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    look_at_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description It can be used. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["one_time_link"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            403: components["responses"]["https_required_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            410: components["responses"]["invalid_link"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    show_try_it: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Each fact of the catalogue. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        facts: components["schemas"]["rule_fact"][];
                    };
                };
            };
            400: components["responses"]["bad_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    try_address: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description One line for each event, when it happens. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": components["schemas"]["trial_event"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["unparseable_email"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    decide_facts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description By id; null is unknown, and so is what is left out. */
                    facts: {
                        [key: string]: boolean | number | string | null;
                    };
                };
            };
        };
        responses: {
            /** @description The decision. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        decision: components["schemas"]["decision"];
                    };
                };
            };
            400: components["responses"]["bad_request_or_invalid_request_or_invalid_json"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_foreign_origin"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["body_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable"];
        };
    };
    show_whole_usage: {
        parameters: {
            query?: {
                /** @description The first instant: `2026-11-20` or `2026-11-20T08:00:00Z`. A day ago, where it is not named. */
                since?: string;
                /** @description The first instant that is not in it any more. Up to now, where it is not named. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By day and by key. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["usage"];
                };
            };
            400: components["responses"]["bad_request_or_invalid_request"];
            401: components["responses"]["not_signed_in"];
            403: components["responses"]["https_required_or_forbidden"];
            405: components["responses"]["method_not_allowed"];
            408: components["responses"]["request_timeout"];
            431: components["responses"]["headers_too_large"];
            500: components["responses"]["internal_error"];
            503: components["responses"]["unavailable_or_busy"];
        };
    };
}
