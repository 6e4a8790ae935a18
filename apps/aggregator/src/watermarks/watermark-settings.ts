import { watermarkTopic } from '@jetton-analytics/common';
import { z } from 'zod';

export const watermarkSettings = {
  WATERMARK_TOPIC: z.string().min(1).default(watermarkTopic).describe('compacted topic of the watermarks'),
};
