import { Module } from '@nestjs/common';
import { JettonStatisticsController } from './jetton-statistics/jetton-statistics.controller.js';
import { MarketStatisticsController } from './market-statistics/market-statistics.controller.js';
import { ReadModelModule } from '@jetton-analytics/read-model';
import { StatusController } from './status/status.controller.js';

@Module({
  imports: [ReadModelModule.with({ application: 'statistics' })],
  controllers: [JettonStatisticsController, MarketStatisticsController, StatusController],
})
export class AppModule {}
