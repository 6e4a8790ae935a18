import { Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';

/** Nest replaces an unknown error of a handler by "Internal server error"; the server must see the error itself. */
@Catch()
class PassErrorsOn implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * Declares a controller's method as the handler of a topic's batches: `(batch: ConsumedBatch) => Promise<void>`. The
 * pattern is the topic's name, or a name that the server's `topicOf` maps to it.
 */
export const ConsumesTopic =
  (pattern: string) =>
  (target: object, key: string, method: PropertyDescriptor): void => {
    EventPattern(pattern)(target, key, method);
    UseFilters(new PassErrorsOn())(target, key, method);
  };
