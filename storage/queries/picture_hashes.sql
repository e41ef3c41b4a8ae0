-- What do the pictures that were read look like? Made pictures have no perceptual hash.
SELECT sha256, perceptual_hash FROM pictures WHERE perceptual_hash IS NOT NULL;
