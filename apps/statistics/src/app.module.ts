import { Module } from '@nestjs/common';
import { JettonStatisticsController } from './jetton-statistics/jetton-statistics.controller.js';
import { MarketStatisticsController } from './market-statistics/market-statistics.controller.js';
import { ReadModelModule } from './read-model/read-model.module.js';
import { StatusController } from './status/status.controller.js';

@Module({
  imports: [ReadModelModule],
  controllers: [JettonStatisticsController, MarketStatisticsController, StatusController],
})
export class AppModule {}
