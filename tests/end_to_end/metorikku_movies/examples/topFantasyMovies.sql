SELECT movieid, title, avg(rating) AS avgRating, count(*) AS ratings
FROM ratedMovies
GROUP BY movieid, title
ORDER BY avgRating DESC
LIMIT 100
