"""Every call of a model: asked once, paid once, stored before anything else sees it."""
