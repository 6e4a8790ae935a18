import { expect } from '@jest/globals';
import { Problem } from '@jetton-analytics/common';

/** The error body of an answer, checked against what every error must be. */
export async function problemIn(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = Problem.parse(await response.json());
  expect(body.requestId).toBe(response.headers.get('x-request-id'));
  expect(body.status).toBe(response.status);
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|localhost|SELECT|at \//);
  return body;
}
