/** Why a message goes to the dead letters: the closed set of the feed's contract, in no particular order. */
export const faultReasons = [
  'not_utf8',
  'not_json',
  'not_object',
  'missing_field',
  'wrong_type',
  'malformed_address',
  'malformed_hash',
  'not_finite',
  'amount_out_of_range',
  'volume_out_of_range',
  'event_time_out_of_range',
  'revision_out_of_range',
  'record_time_out_of_range',
  'too_large',
  'too_late',
] as const;

export type FaultReason = (typeof faultReasons)[number];

/** Why a good message is passed over; these are counted, never dead letters. */
export const skipReasons = ['tombstone', 'other_event_type', 'launch', 'null_token', 'native_asset'] as const;

export type SkipReason = (typeof skipReasons)[number];

/** `detail` says what was expected and never quotes the message: its text is written by strangers. */
export interface Fault {
  readonly kind: 'fault';
  readonly reason: FaultReason;
  readonly field?: string;
  readonly detail: string;
}

export interface Skip {
  readonly kind: 'skip';
  readonly reason: SkipReason;
}
