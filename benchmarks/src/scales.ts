import { InvalidArgumentError } from 'commander';

/** The scales of an option, numbers with commas; throws InvalidArgumentError for anything else. */
export function scales(text: string): number[] {
  const found = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (!found.every((scale) => Number.isFinite(scale) && scale >= 0)) {
    throw new InvalidArgumentError('expected numbers with commas');
  }
  return found;
}
