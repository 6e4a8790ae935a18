import { Module } from '@nestjs/common';
import { StatisticsController } from './statistics/statistics.controller.js';
import { UpstreamModule } from './upstream/upstream.module.js';

@Module({ imports: [UpstreamModule], controllers: [StatisticsController] })
export class AppModule {}
