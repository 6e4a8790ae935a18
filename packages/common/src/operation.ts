import type { z } from 'zod';
import type { PathContract, RequestContract } from './parameters.js';
import { bodySchemaOf, querySchemaOf } from './request-schemas.js';

/** Which app answers an operation. */
export type AnsweringApp = 'statistics' | 'metrics' | 'gateway';

export type OperationTag = 'Jettons' | 'Metrics' | 'Statistics' | 'Markets' | 'Service';

interface OperationInput<Request extends RequestContract, Path extends PathContract> {
  readonly id: string;
  /** GET stands for HEAD too. */
  readonly method: 'GET' | 'POST';
  /** OpenAPI style: `/v1/jettons/{address}`. */
  readonly path: string;
  readonly app: AnsweringApp;
  /** Answers only to plans that are paid. */
  readonly paid?: true;
  readonly tag: OperationTag;
  /** A few words. */
  readonly summary: string;
  /** One or two sentences. */
  readonly description: string;
  readonly pathParameters?: Path;
  readonly request: Request;
  readonly response: z.ZodType;
  readonly responseType?: 'image/svg+xml';
}

/** One method of one path: what is asked, by whom it is answered, and what comes back. */
export interface Operation<
  Request extends RequestContract = RequestContract,
  Path extends PathContract = PathContract,
> extends Omit<OperationInput<Request, Path>, 'paid' | 'pathParameters' | 'responseType'> {
  readonly paid: boolean;
  readonly pathParameters: Path;
  readonly responseType: 'application/json' | 'image/svg+xml';
  /** Schema of the query: flattened names. Only where the method is GET. */
  readonly query: z.ZodObject | undefined;
  /** Schema of the body: the same request, nested. Only where the method is POST. */
  readonly body: z.ZodObject | undefined;
}

/** Completes an operation: the schema of its query or its body comes from its one request contract. */
export function defineOperation<const Request extends RequestContract, const Path extends PathContract>(
  input: OperationInput<Request, Path>,
): Operation<Request, Path> {
  const { paid = false, pathParameters, responseType = 'application/json', ...rest } = input;
  return {
    ...rest,
    paid,
    // Without path parameters there is no name to look up.
    pathParameters: pathParameters ?? ({} as Path),
    responseType,
    query: input.method === 'GET' ? querySchemaOf(input.request) : undefined,
    body: input.method === 'POST' ? bodySchemaOf(input.request) : undefined,
  };
}
