/** The operations with a table, by their names. Made by `npm run generate` from the folder. */
import type { Operation } from '../operation.ts'
import * as batch from './batch.tsx'
import * as columns from './columns.tsx'
import * as mlClusteringIsolationForest from './ml-clustering-isolation-forest.tsx'
import * as mlClusteringIsolationForestFit from './ml-clustering-isolation-forest-fit.ts'
import * as mlClusteringIsolationForestScore from './ml-clustering-isolation-forest-score.tsx'
import * as mlCreditDiscrimination from './ml-credit-discrimination.tsx'
import * as mlCreditMigration from './ml-credit-migration.tsx'
import * as mlCreditMigrationGenerator from './ml-credit-migration-generator.tsx'
import * as mlCreditRatingHistory from './ml-credit-rating-history.tsx'
import * as mlCreditStability from './ml-credit-stability.tsx'
import * as mlCreditValidation from './ml-credit-validation.tsx'
import * as mlPreprocessingOutliers from './ml-preprocessing-outliers.tsx'
import * as modelsVarianceGammaCalibrate from './models-variance-gamma-calibrate.tsx'
import * as physicsEntropyShannon from './physics-entropy-shannon.tsx'

export const operations: Readonly<Record<string, Operation>> = {
  batch,
  columns,
  'ml-clustering-isolation-forest': mlClusteringIsolationForest,
  'ml-clustering-isolation-forest-fit': mlClusteringIsolationForestFit,
  'ml-clustering-isolation-forest-score': mlClusteringIsolationForestScore,
  'ml-credit-discrimination': mlCreditDiscrimination,
  'ml-credit-migration': mlCreditMigration,
  'ml-credit-migration-generator': mlCreditMigrationGenerator,
  'ml-credit-rating-history': mlCreditRatingHistory,
  'ml-credit-stability': mlCreditStability,
  'ml-credit-validation': mlCreditValidation,
  'ml-preprocessing-outliers': mlPreprocessingOutliers,
  'models-variance-gamma-calibrate': modelsVarianceGammaCalibrate,
  'physics-entropy-shannon': physicsEntropyShannon,
}

export * from '../table-page.ts'
