import { Module } from '@nestjs/common';
import { DocsModule } from './docs/docs.module.js';
import { OperationsModule } from './operations/operations.module.js';

@Module({ imports: [OperationsModule, DocsModule] })
export class AppModule {}
