import type { TrustScore } from '@jetton-analytics/figures';
import type { JettonRecord, ReadModel } from '@jetton-analytics/read-model';
import { DomainError } from '@jetton-analytics/service';

const notFound = () => new DomainError('notFound', 'no such jetton');

/** C of the hour window, Unix seconds. Throws DomainError (unavailable) before the first snapshot has been read. */
export function instantOf(model: ReadModel): number {
  const { hourC } = model;
  if (hourC !== undefined) return hourC;
  throw new DomainError('unavailable', 'no figures have been calculated yet, try again', { retryAfterSeconds: 2 });
}

/** Throws DomainError (notFound) for a jetton that is not known. `address` is raw. */
export function knownJetton(model: ReadModel, address: string): JettonRecord {
  const record = model.row(address);
  if (record === undefined) throw notFound();
  return record;
}

/** The score of a known jetton with its parts. */
export function trustScoreOf(model: ReadModel, { address }: JettonRecord): TrustScore {
  const score = model.trustScore(address);
  if (score === undefined) throw notFound();
  return score;
}
