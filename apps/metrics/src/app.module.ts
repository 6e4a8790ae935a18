import { Module } from '@nestjs/common';
import { Postgres } from './postgres/postgres.js';

@Module({ providers: [Postgres] })
export class AppModule {}
