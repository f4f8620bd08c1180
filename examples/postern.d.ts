// Generated from the OpenAPI description (GET /openapi.json) by `npm run openapi`.

export interface CheckRequest {
  email: string;
  [k: string]: unknown;
}

export interface Check {
  id: string;
  created_at: string;
  summary: {
    action: 'ALLOW' | 'BLOCK';
    risk_score: number;
    risk_level: 'low' | 'medium' | 'high';
  };
  normalized: {
    raw: string;
    canonical: string;
    local_part: string;
    domain: string;
    subaddress: string | null;
    has_dots_removed: boolean;
  };
  signals: {
    syntax: {
      valid_format: boolean;
    };
    entropy: {
      score: number;
      suspicious: boolean;
    };
    domain: {
      is_known_disposable: boolean;
      is_known_free_provider: boolean;
      has_mx: boolean;
      is_catch_all: boolean;
      is_role_account: boolean;
      tld_risk_level: 'low' | 'medium' | 'high';
    };
  };
}

export interface ErrorEnvelope {
  error: {
    code:
      | 'bad_request'
      | 'invalid_json'
      | 'missing_email'
      | 'missing_api_key'
      | 'malformed_api_key'
      | 'invalid_api_key'
      | 'https_required'
      | 'not_found'
      | 'method_not_allowed'
      | 'request_timeout'
      | 'body_too_large'
      | 'unsupported_media_type'
      | 'unparseable_email'
      | 'rate_limited'
      | 'quota_exhausted'
      | 'headers_too_large'
      | 'internal_error'
      | 'unavailable';
    /**
     * For people; may be reworded.
     */
    message: string;
    request_id: string;
    /**
     * What is wrong with the address, with `unparseable_email` alone.
     */
    details?: {
      fault:
        | 'empty'
        | 'too_long'
        | 'control_character'
        | 'lone_surrogate'
        | 'no_at'
        | 'lookalike_at'
        | 'second_at'
        | 'unclosed_angle'
        | 'text_after_angle'
        | 'empty_local_part'
        | 'local_character'
        | 'broken_local_part'
        | 'misplaced_quote'
        | 'unclosed_quote'
        | 'unclosed_comment'
        | 'empty_domain'
        | 'domain_character'
        | 'broken_domain'
        | 'empty_label'
        | 'idn_label'
        | 'label_too_long'
        | 'domain_too_long'
        | 'unclosed_literal'
        | 'literal_address';
      /**
       * In code points from 0, in the text as it was sent.
       */
      position: number;
      /**
       * A sentence that a signup form can show.
       */
      message: string;
    }[];
  };
}
