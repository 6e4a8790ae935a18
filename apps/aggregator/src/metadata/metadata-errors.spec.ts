import { describe, expect, it } from '@jest/globals';
import { mapMetadataError, MetadataRefusedError, MetadataUnavailableError } from './metadata-errors.js';

const failed = (code?: string) => Object.assign(new Error('failed'), { driverError: { code } });

describe('an error of PostgreSQL', () => {
  it('is for good where the statement, its data or a constraint is at fault', () => {
    for (const code of ['22P02', '23514', '42P01'])
      expect(mapMetadataError(failed(code))).toBeInstanceOf(MetadataRefusedError);
  });

  it('is worth another try where the server is away, overloaded, late or ended the transaction', () => {
    for (const code of ['57P01', '57014', '53300', '40001', '40P01', '08006', 'ECONNREFUSED', undefined]) {
      expect(mapMetadataError(failed(code))).toBeInstanceOf(MetadataUnavailableError);
    }
    expect(mapMetadataError(new AggregateError([new Error('ECONNREFUSED')]))).toBeInstanceOf(MetadataUnavailableError);
  });
});
